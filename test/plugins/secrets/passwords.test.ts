import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secrets } from "../../../plugins/secrets.js";
import { derivationsIn } from "../../helpers/derivations.ts";
import { rewriteState } from "../../helpers/rewrite-state.ts";
import { PASSWORD, secretStage, secretWorld, textIn } from "../../helpers/secret-stage.ts";
import { failuresOf, recordsOf } from "../../helpers/stage.ts";

const WRONG = "wrong battery";

describe("a wrong password", () => {
  test("is found before any handler is called and anything is written, also where no secret is touched", async () => {
    const { world, Thing, stage } = secretWorld();
    const secret = () => Thing("secret", { value: new Secret("hidden") });
    await stage.up(() => Promise.all([secret(), Thing("plain")]));
    const before = await textIn(stage.store);
    world.news();
    const programs = [
      () => Promise.all([secret(), Thing("plain")]),
      () => Thing("plain", { value: 2 }),
      () => Thing("new"),
      async () => stage.engine.run("child", (scope) => scope.set("a", 1)),
      () => {},
    ];
    for (const program of programs) {
      expect(await failuresOf(stage.up(program, { password: WRONG }))).toMatchObject([{ code: "WRONG_PASSWORD" }]);
      expect(world.news()).toEqual([]);
      expect(await textIn(stage.store)).toBe(before);
    }
    await expect(stage.open({ password: WRONG, phase: "destroy" })).rejects.toMatchObject({
      errors: [{ code: "WRONG_PASSWORD" }],
    });
    expect(world.news()).toEqual([]);
    expect(await textIn(stage.store)).toBe(before);
  });

  test("names the app and the way out, and does not show the password", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    const [error] = await failuresOf(stage.up(() => Thing("a", { value: new Secret("hidden") }), { password: WRONG }));
    const { message } = Object(error);
    expect(message).toContain('"app/dev"');
    expect(message).toContain("eraseSecrets");
    expect(message).not.toContain(WRONG);
  });

  test("is not asked for by a run that touches no secret and changes nothing", async () => {
    const { Thing, stage } = secretWorld();
    const both = () =>
      Promise.all([Thing("plain"), stage.engine.run("child", () => Thing("a", { value: new Secret("hidden") }))]);
    await stage.up(both);
    const count = await derivationsIn(() => stage.up(() => Thing("plain"), { password: WRONG, destroyOrphans: false }));
    expect(count).toBe(0);
    expect(stage.summary).toMatchObject({ skipped: 1 });
  });
});

describe("without a password", () => {
  test("a secret in the program is refused, naming resource and path", async () => {
    const { world, Thing } = secretWorld();
    const program = () => Thing("db", { value: { deep: [1, new Secret("hidden")] } });
    const bare = secretStage({ password: undefined });
    expect(await failuresOf(bare.up(program))).toMatchObject([
      {
        code: "PASSWORD_REQUIRED",
        fqn: "app/dev/db",
        message:
          'The secret at "/value/deep/1" in the props of "app/dev/db" needs a password or a key. Set ENGINE_PASSWORD or ENGINE_KEY, or pass { password } or { key } to engine().',
      },
    ]);
    expect(world.calls).toEqual([]);
    expect(await textIn(bare.store)).toBe("");
  });

  test("a recorded secret is refused where it is read: in a declaration, in data, in a delete", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(async (app) => {
      await app.set("token", new Secret("in data"));
      await Thing("a", { value: new Secret("hidden") });
    });
    world.news();
    const bare = secretStage({ password: undefined, stateStore: stage.store });
    const required = (fqn: string) => [{ code: "PASSWORD_REQUIRED", fqn }];
    expect(await failuresOf(bare.up(() => {}))).toMatchObject(required("app/dev/a"));
    expect(await failuresOf(bare.up(() => Thing("a", {}), { phase: "read" }))).toMatchObject(required("app/dev/a"));
    await bare.up(
      async (app) => {
        await expect(app.get("token")).rejects.toMatchObject({ code: "PASSWORD_REQUIRED", fqn: "app/dev" });
      },
      { destroyOrphans: false },
    );
    expect(world.news()).toEqual([]);
  });

  test("what touches no secret goes on", async () => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Promise.all([Thing("a", { value: new Secret("hidden") }), Thing("b")]));
    const bare = secretStage({ password: undefined, stateStore: stage.store });
    await bare.up(() => Thing("b", { value: 2 }), { destroyOrphans: false });
    expect(bare.summary).toMatchObject({ updated: 1 });
  });
});

describe("a password", () => {
  test("is derived once in a process for a hundred secrets, and not at all without one", async () => {
    const { Thing, stage } = secretWorld();
    const password = "of this test alone";
    const many = () =>
      Promise.all(Array.from({ length: 100 }, (_, n) => Thing(`t${n}`, { value: new Secret(`value ${n}`) })));
    expect(await derivationsIn(() => stage.up(() => Thing("plain"), { password, destroyOrphans: false }))).toBe(0);
    expect(await derivationsIn(() => stage.up(many, { password }))).toBe(1);
    expect(await derivationsIn(() => stage.up(many, { password }))).toBe(0);
  });

  test("is the same however its accents were typed", async () => {
    const { Thing, stage } = secretWorld();
    const program = () => Thing("a", { value: new Secret("hidden") });
    await stage.up(program, { password: "\u00e9t\u00e9" });
    await stage.up(program, { password: "e\u0301te\u0301" });
    expect(stage.summary).toEqual({ skipped: 1 });
  });
});

describe("a scope with a password of its own", () => {
  const inTenant = (stage: ReturnType<typeof secretStage>, password: string | undefined, fn: () => unknown) =>
    stage.engine.run("tenant", password === undefined ? {} : { password }, async () => fn());

  test("has a key of its own: each password opens its own part and nothing else", async () => {
    const { world, Thing, stage } = secretWorld();
    const program = async (password = "tenant's own") => {
      await Thing("a", { value: new Secret("of the app") });
      await inTenant(stage, password, () => Thing("b", { value: new Secret("of the tenant") }));
    };
    const app = await stage.up(() => program());
    const keys = recordsOf(app).map(({ props }) => JSON.stringify(props).match(/\$secret":\["([^"]+)/)?.[1]);
    expect(new Set(keys).size).toBe(2);
    await stage.up(() => program());
    expect(stage.summary).toEqual({ skipped: 2 });
    world.news();
    expect(await failuresOf(stage.up(() => program(WRONG)))).toMatchObject([
      { code: "WRONG_PASSWORD", fqn: "app/dev/tenant" },
    ]);
    expect(world.news()).toEqual([]);
  });

  test("keeps what it holds from being deleted by a run that does not know its password", async () => {
    const { world, Thing, stage } = secretWorld();
    await stage.up(() => inTenant(stage, "tenant's own", () => Thing("b", { value: new Secret("of the tenant") })));
    const [error] = await failuresOf(stage.up(() => {}));
    expect(error).toMatchObject({ code: "PASSWORD_REQUIRED", fqn: "app/dev/tenant/b" });
    expect(Object(error).message).toContain('scope "tenant"');
    expect(world.names).toEqual(["b#1"]);
    await stage.up(() => inTenant(stage, "tenant's own", () => {}));
    expect(world.names).toEqual([]);
  });

  test("that is its parent's shares its key; one that it gets later encrypts anew what is declared in it", async () => {
    const { Thing, stage } = secretWorld();
    const declared = () => Thing("b", { value: new Secret("hidden") });
    await stage.up(() => inTenant(stage, PASSWORD, declared));
    await stage.up(() => inTenant(stage, undefined, declared));
    expect(stage.summary).toEqual({ skipped: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared));
    expect(stage.summary).toEqual({ updated: 1 });
    await stage.up(() => inTenant(stage, "tenant's own", declared), { password: undefined });
    expect(stage.summary).toEqual({ skipped: 1 });
  });
});

test.each([0, 1.5, 8_192, 16_385, 2 ** 21, Number.NaN])("%d is no cost for scrypt", (cost) => {
  expect(() => secrets({ cost })).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
});

describe("recorded parameters of a password", () => {
  const tampered = async (change: (text: string) => string) => {
    const { Thing, stage } = secretWorld();
    await stage.up(() => Thing("a", { value: new Secret("hidden") }));
    const store = memoryStore();
    await rewriteState(stage.store, store, change);
    return failuresOf(secretStage({ stateStore: store }).up(() => Thing("a", { value: new Secret("hidden") })));
  };

  test.each([
    ["too weak", '"n":16384', '"n":8192'],
    ["too much memory", '"n":16384', '"n":4194304'],
    ["no numbers", '"n":16384', '"n":16385'],
    ["unknown", '"name":"scrypt"', '"name":"rot13"'],
  ])("are refused where they are %s", async (why, from, to) => {
    const [error] = await tampered((text) => text.replace(from, to));
    expect(error).toMatchObject({ code: "STATE_CORRUPT" });
    expect(Object(error).message).toContain(why);
  });
});
