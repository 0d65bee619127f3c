import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { appOf } from "../../../core/run/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretStage, secretWorld, textIn } from "../../helpers/apps/secret-stage.ts";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.ts";
import { newKind } from "../../helpers/apps/world.ts";

const VALUE = "hunter2-häslich";

describe("a secret", () => {
  test("is recorded encrypted in props and outputs, and given to handlers and to the program as a secret", async () => {
    const { world, Thing, stage } = secretWorld();
    let seen: unknown;
    world.on("create a", ({ props }) => {
      seen = Reflect.get(Object(props), "value");
    });
    let output: unknown;
    await stage.up(async () => (output = (await Thing("a", { value: new Secret(VALUE, "PW") })).value));
    for (const value of [seen, output]) {
      expect(value).toBeInstanceOf(Secret);
      expect(String(value)).toBe("Secret(PW)");
      expect(Object(value).unencrypted).toBe(VALUE);
    }
    expect(await textIn(stage.store)).not.toContain("hunter2");
  });

  test("that stays the same changes nothing, writes nothing, and comes back in the next run", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = () =>
      Thing("a", { value: { list: [new Secret(VALUE), 1], map: new Map([["k", new Secret("v2v2")]]) } });
    await stage.up(program);
    world.news();
    const before = await textIn(stage.store);
    let output: unknown;
    await stage.up(async () => (output = await program()));
    expect(world.news()).toEqual([]);
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(await textIn(stage.store)).toBe(before);
    expect(Object(output).value.list[0].unencrypted).toBe(VALUE);
    expect(Object(output).value.map.get("k").unencrypted).toBe("v2v2");
  });

  test("with another name is the same secret", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret(VALUE, "one") }));
    await stage.up(() => Thing("a", { value: new Secret(VALUE, "other") }));
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("with another value is a change at its path, and the handler sees both values", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: { deep: [new Secret("before!")] } }));
    const seen: unknown[] = [];
    world.on("update a", ({ props, changes, ...context }) => {
      const previous = Reflect.get(context, "previous") ?? Reflect.get(Object(context), "previous");
      seen.push(changes, Object(props).value.deep[0].unencrypted, previous);
    });
    await stage.up(() => Thing("a", { value: { deep: [new Secret("after!!")] } }));
    expect(seen.slice(0, 2)).toEqual([["/value/deep/0"], "after!!"]);
    const text = await textIn(stage.store);
    expect(text).not.toContain("before!");
    expect(text).not.toContain("after!!");
  });

  test("in the place of a plain value, and the other way round, is a change", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: VALUE }));
    await stage.up(() => Thing("a", { value: new Secret(VALUE) }));
    expect(stage.summary).toEqual({ updated: 1 });
    await stage.up(() => Thing("a", { value: VALUE }));
    expect(stage.summary).toEqual({ updated: 1 });
  });

  test.each<[string, unknown]>([
    ["a number", 42_424_242],
    ["null", null],
    ["an object with secrets in it", { user: "admin", password: new Secret("inner-one"), at: new Date(0) }],
    ["bytes", Buffer.from("binary\0bytes")],
    ["a bigint", 12_345_678_901_234_567_890n],
    ["a text that looks like a tag", { $secret: ["", "x"] }],
    ["8 kB", "long ".repeat(1_600)],
  ])("holds %s", async (_what, value) => {
    const { Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret(value) });
    await stage.up(program);
    let output: unknown;
    await stage.up(async () => (output = (await program()).value));
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(output).toBeInstanceOf(Secret);
    const plain: unknown = Object(output).unencrypted;
    if (typeof value === "object" && value !== null && "password" in value) {
      expect(plain).toMatchObject({ user: "admin", at: new Date(0) });
      expect(Object(plain).password.unencrypted).toBe("inner-one");
    } else expect(plain).toEqual(value);
    expect(await textIn(stage.store)).not.toMatch(/inner-one|long long|admin/);
  });

  test("is kept in the data of scopes and resources, and the same value is not written twice", async () => {
    const { world, Thing, stage } = secretWorld();
    world.on("create a", async (context) => context.set("token", new Secret("resource-token")));
    const program = async () => {
      const app = stage.engine;
      await app.run("child", async (scope) => {
        await scope.set("token", { inner: new Secret("scope-token") });
        await Thing("a");
      });
    };
    await stage.up(program);
    const before = await textIn(stage.store);
    expect(before).not.toMatch(/(scope|resource)-token/);
    await stage.up(program);
    expect(await textIn(stage.store)).toBe(before);
    let read: unknown;
    let own: unknown;
    world.on("update a", async (context) => {
      own = await context.get("token");
    });
    await stage.up(() =>
      stage.engine.run("child", async (scope) => {
        read = await scope.get("token");
        await Thing("a", { value: 1 });
      }),
    );
    expect(Object(read).inner.unencrypted).toBe("scope-token");
    expect(Object(own).unencrypted).toBe("resource-token");
  });

  test("of another resource's output goes into the props of the next one", async () => {
    const { Thing, stage } = secretWorld();
    const program = async () => {
      const one = Thing("a", { value: new Secret(VALUE) });
      await Thing("b", { value: one });
    };
    await stage.up(program);
    await stage.up(program);
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(await textIn(stage.store)).not.toContain("hunter2");
  });

  test.each([
    ["with the old copy deleted at the end", {}],
    ["where the type has no update", { update: false }],
  ])("follows its resource through a replacement, %s", async (_how, options) => {
    const { world, Thing, stage } = secretWorld({ replaceOn: ["name"], ...options });
    await stage.up(() => Thing("a", { value: new Secret(VALUE), name: "one" }));
    const deleted: unknown[] = [];
    world.on("delete a", ({ props }) => void deleted.push(Object(props).value.unencrypted));
    const next = () => Thing("a", { value: new Secret(VALUE), name: "two" });
    await stage.up(next);
    expect(deleted).toEqual([VALUE]);
    await stage.up(next);
    expect(stage.summary).toEqual({ unchanged: 1 });
  });

  test("is replaced by a handler that asks for it, the old one first", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("before!") }));
    world.on("update a", (context) => Reflect.get(context, "replace")(true));
    await stage.up(() => Thing("a", { value: new Secret("after!!") }));
    await stage.up(() => Thing("a", { value: new Secret("after!!") }));
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect([...world.things.values()].map(({ value }) => Secret.unwrap(value))).toEqual(["after!!"]);
  });

  test("keeps the token of an update that failed, while its value stays the same", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("before!") }));
    const tokens: string[] = [];
    world.on("update a", ({ token }) => {
      tokens.push(token);
      throw new Error("not now");
    });
    const next = (value: string) => failuresOf(stage.up(() => Thing("a", { value: new Secret(value) })));
    await next("after!!");
    await next("after!!");
    await next("third!!");
    expect(tokens[1]).toBe(tokens[0]);
    expect(tokens[2]).not.toBe(tokens[0]);
  });

  test("is deleted, read and destroyed like any other value", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = () =>
      Promise.all([Thing("a", { value: new Secret(VALUE) }), Thing("b", { value: new Secret(VALUE) })]);
    await stage.up(program);
    let read: unknown;
    await stage.up(async () => (read = (await Thing("a", {})).value), { phase: "read" });
    expect(Object(read).unencrypted).toBe(VALUE);
    await stage.up(() => Thing("a", { value: new Secret(VALUE) }));
    expect(world.names).toEqual(["a#1"]);
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.names).toEqual([]);
  });

  test("leaves nothing but the key behind in a stage that is destroyed, and another password will do", async () => {
    const { Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret(VALUE) });
    await stage.up(program);
    const app = await stage.up(() => {}, { phase: "destroy" });
    const { records, data } = appOf(app).ledger.contents;
    expect([...records]).toEqual([]);
    expect([...data].map(([owner, values]) => [owner, ...values.keys()])).toEqual([["$secrets", "/"]]);
    // From this, the next run knows who emptied it, or warns that it cannot know.
    await stage.up(() => {});
    expect(stage.heard("warning")).toEqual([]);
    await stage.up(program, { password: "another one" });
    expect(stage.summary).toEqual({ created: 1 });
    expect(stage.heard("warning").map(({ code }) => code)).toEqual(["UNVERIFIED"]);
    await stage.up(program, { password: "another one" });
    expect([stage.summary, stage.heard("warning")]).toEqual([{ unchanged: 1 }, []]);
    await expect(stage.up(program)).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  });
});

/** A create whose outcome is unknown, and its possible dependencies, with encrypted values. */
test("holds back all that gives something encrypted, where its own props have something encrypted", async () => {
  const deleted: string[] = [];
  const Key = Resource<{ key?: Secret }, { plain?: boolean }>(newKind(), {
    create: ({ props, id }) => (props.plain ? {} : { key: new Secret(`key-of-${id}-for-all`) }),
    delete: ({ id }) => void deleted.push(id),
  });
  const Server = Resource<unknown, { key: Secret }>(newKind(), {
    create: () => {
      throw new Error("The answer was lost.");
    },
  });
  const stage = secretStage();
  await stage.failures(async () => {
    const { key } = await Key("master");
    await Key("plain", { plain: true });
    await Server("server", { key: new Secret(`derived-${key?.unencrypted}`) });
  });
  const app = await stage.up();
  expect(deleted).toEqual(["plain"]);
  expect(recordsOf(app).map(({ key }) => key)).toEqual(["master", "server"]);
});
