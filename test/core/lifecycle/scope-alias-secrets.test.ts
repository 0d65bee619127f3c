import { expect, test } from "vitest";
import type { Scope, ScopeOptions } from "../../../core/contract/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { secretWorld } from "../../helpers/apps/secret-stage.js";
import { recordsOf } from "../../helpers/apps/stage.js";

const props = { value: { key: new Secret("hush") } };
const own = { password: "another one" };

function setUp() {
  const { world, stage, Thing } = secretWorld();
  const seen: unknown[] = [];
  const program = (name: string, options: ScopeOptions, inner: ScopeOptions = {}) => {
    const inside = async (scope: Scope) => {
      seen.push(await scope.get("token"), await Thing("a", props));
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
  const { world, stage, program, seen } = setUp();
  const before = recordsOf(await stage.up(program("old", {})));
  const app = await stage.up(program("new", { aliases: ["old"] }));
  expect(recordsOf(app)).toEqual(before.map((record) => ({ ...record, key: record.key.replace("old", "new") })));
  expect(seen.slice(4)).toMatchObject([token, output("a#1"), token, output("a#2")]);
  expect(world.calls).toEqual(["create a", "create a"]);
});

test("a renamed scope has its secrets under its own password, and scopes inside under theirs, in each phase", async () => {
  const { world, stage, program, seen } = setUp();
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
  const { stage, program, seen } = setUp();
  await stage.up(program("old", own));
  seen.length = 0;
  const app = await stage.open({ phase: "read" });
  await app.run(program("new", { ...own, aliases: ["old"] })).catch(() => {});
  await app.finalize().catch(() => {});
  expect(seen).toMatchObject([token, output("a#1")]);
});

test("a scope that is renamed without its password is refused before anything of it is made again", async () => {
  const { world, stage, program } = setUp();
  await stage.up(program("old", own));

  expect(await stage.failures(program("new", { aliases: ["old"] }))).toMatchObject([
    { code: "PASSWORD_REQUIRED", message: expect.stringContaining('the scope "old"') },
  ]);
  await stage.up(program("new", { ...own, aliases: ["old"] }));
  expect(stage.summary).toEqual({ skipped: 2 });
  expect(world.calls).toEqual(["create a", "create a"]);
});
