import { describe, expect, test } from "vitest";
import type { ScopeOptions } from "../../../core/contract/index.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp() {
  const world = new World();
  const stage = new Stage();
  const run = (name: string, options: ScopeOptions = {}, program: () => unknown = () => {}) =>
    stage.engine.run(name, options, async () => void (await program()));
  return { world, stage, run, Thing: world.type() };
}

const conflict = (...names: readonly string[]) => ({
  code: "ALIAS_CONFLICT",
  message: expect.stringMatching(new RegExp(names.map((name) => `"app/dev/${name}"`).join(".*"))),
});
const was = (...aliases: string[]) => ({ aliases });

describe("ALIAS_CONFLICT is what becomes of", () => {
  test("a scope that has an alias which is run as well, before or after it", async () => {
    const { world, stage, run, Thing } = setUp();
    const before = recordsOf(await stage.up(() => run("old", {}, () => Thing("a"))));
    const orders = [
      async () => {
        await run("old", {}, () => Thing("a"));
        await run("new", was("old"));
      },
      async () => {
        await run("new", was("old"));
        await run("old", {}, () => Thing("a"));
      },
    ];
    for (const order of orders) expect(await stage.failures(order)).toMatchObject([conflict("new", "old")]);
    expect(recordsOf(await stage.up(() => run("old", {}, () => Thing("a"))))).toEqual(before);
    expect(world.calls).toEqual(["create a"]);
  });

  test("two scopes with one alias, also where that comes from the scopes around them", async () => {
    const { stage, run } = setUp();
    expect(await stage.failures(() => Promise.all([run("b", was("a")), run("c", was("a"))]))).toMatchObject([
      conflict("b", "c", "a"),
    ]);
    const inside = async () => {
      await run("new", was("old"), () => run("inner"));
      await run("elsewhere", was("app/dev/old/inner"));
    };
    expect(await stage.failures(inside)).toMatchObject([conflict("new/inner", "elsewhere", "old/inner")]);
  });

  test("a scope that names itself, or one around it", async () => {
    const { stage, run } = setUp();
    expect(await stage.failures(() => run("a", was("a")))).toMatchObject([conflict("a")]);
    expect(await stage.failures(() => run("a", {}, () => run("b", was("app/dev/a"))))).toMatchObject([
      conflict("a/b", "a"),
    ]);
  });

  test("a resource with an alias for what its scope, renamed, still declares", async () => {
    const { world, stage, run, Thing } = setUp();
    await stage.up(() => run("old", {}, () => Thing("a")));
    const [inScope, outside] = [
      () => run("new", was("old"), () => Thing("a")),
      () => Thing("b", {}, was("app/dev/old/a")),
    ];
    const orders = [
      async () => {
        await inScope();
        await outside();
      },
      async () => {
        await outside();
        await inScope();
      },
    ];
    for (const order of orders) {
      expect(await stage.failures(order, { plan: true })).toMatchObject([conflict("b", "old/a")]);
    }
    await stage.up(() => [run("new", was("old")), outside()]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("two resources in a renamed scope that name the same, and not of one that has let go of its id", async () => {
    const { world, stage, run, Thing } = setUp();
    await stage.up(() => run("old", {}, () => Thing("a")));
    const twice = () => run("new", was("old"), () => [Thing("b", {}, was("a")), Thing("c", {}, was("a"))]);
    expect(await stage.failures(twice, { plan: true })).toMatchObject([conflict("new/b", "new/c", "new/a")]);
    await stage.up(() => run("old", {}, () => Thing("b", {}, was("a"))));
    await stage.up(() => run("old", {}, () => [Thing("b", {}, was("a")), Thing("a")]));
    await stage.up(() => run("new", was("old"), () => [Thing("b", {}, was("a")), Thing("a")]));
    expect(stage.summary).toEqual({ skipped: 2 });
    expect(world.calls).toEqual(["create a", "create a"]);
  });
});

describe("INVALID_OPTION is what becomes of", () => {
  test.each<[string, unknown, string]>([
    ["another stage's scope", ["app/prod/old"], '"app/prod/old"'],
    ["one that is no list", "old", 'scope "app/dev/new"'],
    ["a list of something else", [1], 'scope "app/dev/new"'],
  ])("%s", async (_what, aliases, named) => {
    const { stage, run } = setUp();
    const program = () => run("new", { aliases: aliases as readonly string[] });
    expect(await stage.failures(program)).toMatchObject([
      { code: "INVALID_OPTION", message: expect.stringContaining(named) },
    ]);
  });

  test("other aliases at another run of the scope, and not of the same ones", async () => {
    const { stage, run } = setUp();
    const program = (second: ScopeOptions) => async () => {
      await run("new", was("old"));
      await run("new", second);
    };
    await stage.up(program({}));
    await stage.up(program(was("old")));
    expect(await stage.failures(program(was("older")))).toMatchObject([
      { code: "INVALID_OPTION", message: expect.stringContaining('"aliases"') },
    ]);
  });

  test("aliases of the whole app", async () => {
    const { stage } = setUp();
    await expect(stage.open(was("old") as object)).rejects.toMatchObject({ code: "INVALID_OPTION" });
  });
});

test.each([
  ["", "it is empty"],
  ["app/dev/", "it is empty"],
  [".", "relative path"],
])("an alias %j is INVALID_NAME", async (alias, why) => {
  const { stage, run } = setUp();
  expect(await stage.failures(() => run("new", was(alias)))).toMatchObject([
    { code: "INVALID_NAME", message: expect.stringContaining(why) },
  ]);
});
