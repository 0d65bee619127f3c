/** Secrets of resources and scopes that are renamed. */
import { describe, expect, test } from "vitest";
import type { Scope, ScopeOptions } from "../../../core/contract/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretWorld } from "../../helpers/apps/secret-stage.js";
import { recordOf, recordsOf } from "../../helpers/apps/stage.js";

const props = (text = "hush") => ({ value: { key: new Secret(text) } });
const was = { aliases: ["app/dev/s/a"] };

/** Programs with "a" in a scope with its own password, and with "b" in place of it. */
function setUp() {
  const { world, Thing, stage } = secretWorld();
  const inScope = (program: () => unknown) =>
    stage.engine.run("s", { password: "another one" }, async () => void (await program()));
  const inOldScope = (text?: string) => () => inScope(() => Thing("a", props(text)));
  const moving = (text?: string) => async () => {
    await inScope(() => {});
    return Thing("b", props(text), was);
  };
  return { world, Thing, stage, inOldScope, moving };
}

describe("a resource that takes over what is recorded under an earlier name", () => {
  test("has its secrets just as they were encrypted", async () => {
    const { world, Thing, stage } = secretWorld();
    const first = recordOf(await stage.up(() => Thing("a", props())), "a");
    const app = await stage.up(() => Thing("b", props(), { aliases: ["a"] }));
    expect(recordsOf(app)).toEqual([{ ...first, key: "b" }]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("has them under the password of its new scope", async () => {
    const { world, Thing, stage, inOldScope, moving } = setUp();
    world.on("create a", ({ set }) => set("token", new Secret("of the resource")));
    await stage.up(inOldScope());
    await stage.up(moving());
    expect(stage.summary).toEqual({ unchanged: 1 });
    const seen: unknown[] = [];
    world.on("update b", async ({ get, output }) => {
      seen.push(await get<Secret>("token"), output);
    });
    await stage.up(() => Thing("b", props("louder")));
    const output = { thing: "a#1", value: { key: { unencrypted: "hush" } } };
    expect(seen).toMatchObject([{ unencrypted: "of the resource" }, output]);
  });

  test("has those that it had before an update which failed", async () => {
    const { world, stage, inOldScope, moving } = setUp();
    await stage.up(inOldScope());
    world.fails("update a");
    await stage.failures(inOldScope("louder"));
    const seen: unknown[] = [];
    world.on("update b", (context) => void seen.push(Reflect.get(context, "previous"), context.props));
    await stage.up(moving("loudest"));
    expect(seen).toMatchObject(["hush", "loudest"].map((unencrypted) => ({ value: { key: { unencrypted } } })));
  });

  test("has them in the phase read, before any up has moved it", async () => {
    const { stage, inOldScope, moving } = setUp();
    await stage.up(inOldScope());
    const app = await stage.open({ phase: "read" });
    expect(await app.run(moving())).toMatchObject({ thing: "a#1", value: { key: { unencrypted: "hush" } } });
    await app.finalize();
  });

  test("stays where it is while the password of its old scope is not given", async () => {
    const { world, Thing, stage, inOldScope } = setUp();
    await stage.up(inOldScope());
    expect(await stage.failures(() => Thing("b", props(), was))).toMatchObject([
      { code: "PASSWORD_REQUIRED", fqn: "app/dev/s/a", message: expect.stringContaining('the scope "s"') },
    ]);
    await stage.up(inOldScope());
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(world.calls).toEqual(["create a"]);
  });

  test("has the secret data of the scopes that its handler opened", async () => {
    const { world, Thing, stage } = secretWorld();
    const seen: unknown[] = [];
    for (const call of ["create a", "update b"]) {
      world.on(call, () =>
        stage.engine.run("inner", async (scope) => {
          seen.push(await scope.get("key"));
          await scope.set("key", new Secret("inside"));
          await Thing("deep");
        }),
      );
    }
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("b", { value: 1 }, { aliases: ["a"] }));
    await stage.up(() => Thing("b", { value: 2 }));
    expect(seen).toMatchObject([undefined, { unencrypted: "inside" }]);
  });
});

const own = { password: "another one" };

function renaming() {
  const { world, stage, Thing } = secretWorld();
  const seen: unknown[] = [];
  const program = (name: string, options: ScopeOptions, inner: ScopeOptions = {}) => {
    const inside = async (scope: Scope) => {
      seen.push(await scope.get("token"), await Thing("a", props()));
      await scope.set("token", new Secret("sesame"));
    };
    return () =>
      stage.engine.run(name, options, (scope) => inside(scope).then(() => stage.engine.run("inner", inner, inside)));
  };
  return { world, stage, program, seen };
}

const output = (thing: string) => ({ thing, value: { key: { unencrypted: "hush" } } });
const token = { unencrypted: "sesame" };

test("a renamed scope has its secrets just as they were encrypted, but for those of its data", async () => {
  const { world, stage, program, seen } = renaming();
  const before = recordsOf(await stage.up(program("old", {})));
  const app = await stage.up(program("new", { aliases: ["old"] }));
  expect(recordsOf(app)).toEqual(before.map((record) => ({ ...record, key: record.key.replace("old", "new") })));
  expect(seen.slice(4)).toMatchObject([token, output("a#1"), token, output("a#2")]);
  expect(world.calls).toEqual(["create a", "create a"]);
});

test("a renamed scope has its secrets under its own password, and scopes inside under theirs, in each phase", async () => {
  const { world, stage, program, seen } = renaming();
  const inner = { password: "a third one" };
  await stage.up(program("old", own, inner));
  const renamed = program("new", { ...own, aliases: ["old"] }, inner);
  for (const options of [{ plan: true }, {}, {}]) {
    seen.length = 0;
    await stage.up(renamed, options);
    expect(seen).toMatchObject([token, output("a#1"), token, output("a#2")]);
  }
  expect(stage.heard("state:committed")).toEqual([]);
  expect(world.calls).toEqual(["create a", "create a"]);
});

test("a renamed scope reads its secrets under the password that it had, before any up has moved it", async () => {
  const { stage, program, seen } = renaming();
  await stage.up(program("old", own));
  seen.length = 0;
  const app = await stage.open({ phase: "read" });
  await app.run(program("new", { ...own, aliases: ["old"] })).catch(() => {});
  await app.finalize().catch(() => {});
  expect(seen).toMatchObject([token, output("a#1")]);
});

test("a scope that is renamed without its password is refused before anything of it is made again", async () => {
  const { world, stage, program } = renaming();
  await stage.up(program("old", own));

  expect(await stage.failures(program("new", { aliases: ["old"] }))).toMatchObject([
    { code: "PASSWORD_REQUIRED", message: expect.stringContaining('the scope "old"') },
  ]);
  await stage.up(program("new", { ...own, aliases: ["old"] }));
  expect(stage.summary).toEqual({ unchanged: 2 });
  expect(world.calls).toEqual(["create a", "create a"]);
});
