import { describe, expect, test } from "vitest";
import type { ScopeOptions } from "../../../core/contract/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";

type Type = NewWorld["Thing"];

const was = (...aliases: string[]) => ({ aliases });
const conflict = (...names: readonly string[]) => ({
  code: "ALIAS_CONFLICT",
  message: expect.stringMatching(new RegExp(names.map((name) => `"app/dev/${name}"`).join(".*"))),
});

describe("ALIAS_CONFLICT is what becomes of", () => {
  test.each<[string, string[], (Thing: Type) => unknown, string[]]>([
    [
      "three that name each other in a circle, whatever is recorded",
      ["a", "b", "c"],
      (Thing) => [Thing("a", {}, was("b")), Thing("b", {}, was("c")), Thing("c", {}, was("a"))],
      ["a", "c", "b", "a"],
    ],
    ["two that name the same", ["a"], (Thing) => [Thing("b", {}, was("a")), Thing("c", {}, was("a"))], ["b", "c", "a"]],
    [
      "one that names what is declared before it",
      ["a"],
      async (Thing) => {
        await Thing("a");
        await Thing("b", {}, was("a"));
      },
      ["b", "a"],
    ],
    [
      "one that names what is declared after it",
      ["a"],
      async (Thing) => {
        await Thing("b", {}, was("a"));
        await Thing("a");
      },
      ["b", "a"],
    ],
    ["one that names what is declared beside it", ["a"], (Thing) => [Thing("a"), Thing("b", {}, was("a"))], ["b", "a"]],
    ["one beside what it names", ["a"], (Thing) => [Thing("b", {}, was("a")), Thing("a")], ["b", "a"]],
  ])("%s", async (_what, recorded, program, names) => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => recorded.map((id) => Thing(id)));
    expect(await stage.failures(() => program(Thing))).toMatchObject([conflict(...names)]);
    expect(world.calls).toEqual(recorded.map((id) => `create ${id}`));
  });

  test.each<[string, (Thing: Type) => unknown, string[]]>([
    ["a resource that names itself", (Thing) => Thing("a", {}, was("a")), ["a", "a"]],
    ["two that name each other", (Thing) => [Thing("a", {}, was("b")), Thing("b", {}, was("a"))], ["a", "b"]],
    ["one that names what is declared", (Thing) => [Thing("a"), Thing("b", {}, was("a"))], ["b", "a"]],
  ])("%s, in the first run of all", async (_what, program, names) => {
    const { Thing, stage } = newWorld();
    const failures = await stage.failures(() => program(Thing));
    expect(failures).toContainEqual(expect.objectContaining(conflict(...names)));
  });
});

test("a conflict leaves what is recorded as it was, and the next run without it changes nothing", async () => {
  const { Thing, stage } = newWorld();
  const before = recordsOf(await stage.up(() => [Thing("a"), Thing("b")]));
  await stage.failures(() => [Thing("a"), Thing("c", {}, was("a")), Thing("b")]);
  expect(recordsOf(await stage.up(() => [Thing("a"), Thing("b")]))).toEqual(before);
  expect(stage.heard("state:committed")).toEqual([]);
});

test.each([
  ["another stage", "app/prod/a"],
  ["another app", "shop/dev/a"],
  ["another stage that begins alike", "app/dev2/a"],
  ["nothing", "app/dev/"],
])("the name of something in %s is INVALID_OPTION", async (_what, alias) => {
  const { Thing, stage } = newWorld();
  const message = expect.stringContaining(`"${alias}"`);
  expect(await stage.failures(() => Thing("b", {}, was(alias)))).toMatchObject([
    { code: "INVALID_OPTION", fqn: "app/dev/b", message },
  ]);
});

function setUp() {
  const { world, Thing, stage } = newWorld();
  const run = (name: string, options: ScopeOptions = {}, program: () => unknown = () => {}) =>
    stage.engine.run(name, options, async () => void (await program()));
  return { world, stage, run, Thing };
}

/** Runs both declarations in both orders. */
const orders = (one: () => Promise<unknown>, other: () => Promise<unknown>) => [
  () => one().then(other),
  () => other().then(one),
];

describe("ALIAS_CONFLICT is what becomes of", () => {
  test("a scope that has an alias which is run as well, before or after it", async () => {
    const { world, stage, run, Thing } = setUp();
    const old = () => run("old", {}, () => Thing("a"));
    const before = recordsOf(await stage.up(old));
    for (const order of orders(old, () => run("new", was("old")))) {
      expect(await stage.failures(order)).toMatchObject([conflict("new", "old")]);
    }
    expect(recordsOf(await stage.up(old))).toEqual(before);
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
    const inScope = () => run("new", was("old"), () => Thing("a"));
    const outside = async () => void (await Thing("b", {}, was("app/dev/old/a")));
    for (const order of orders(inScope, outside)) {
      expect(await stage.failures(order, { plan: true })).toMatchObject([conflict("b", "old/a")]);
    }
    await stage.up(() => [run("new", was("old")), outside()]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("two resources in a renamed scope that name the same, and not of one that has released its id", async () => {
    const { world, stage, run, Thing } = setUp();
    await stage.up(() => run("old", {}, () => Thing("a")));
    const twice = () => run("new", was("old"), () => [Thing("b", {}, was("a")), Thing("c", {}, was("a"))]);
    expect(await stage.failures(twice, { plan: true })).toMatchObject([conflict("new/b", "new/c", "new/a")]);
    await stage.up(() => run("old", {}, () => Thing("b", {}, was("a"))));
    await stage.up(() => run("old", {}, () => [Thing("b", {}, was("a")), Thing("a")]));
    await stage.up(() => run("new", was("old"), () => [Thing("b", {}, was("a")), Thing("a")]));
    expect(stage.summary).toEqual({ unchanged: 2 });
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
    const failures = await stage.failures(() => run("new", { aliases: aliases as readonly string[] }));
    expect(failures).toMatchObject([{ code: "INVALID_OPTION", message: expect.stringContaining(named) }]);
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

test("an alias that took a record over before its owner was declared says how to give it back, and that works", async () => {
  const { world, Thing, stage } = newWorld();
  await stage.up(() => Thing("a", { value: 1 }));
  const [error] = await stage.failures(async () => {
    await Thing("b", { value: 1 }, was("a"));
    await Thing("a", { value: 1 });
  });
  expect(error).toMatchObject({
    code: "ALIAS_CONFLICT",
    message: expect.stringMatching(/engine state move \S+\/b \S+\/a$/),
  });
  await stageAdmin(stage.store, { app: "app", stage: "dev" }).move("app/dev/b", "app/dev/a");
  world.news();
  await stage.up(() => Thing("a", { value: 1 }));
  expect(world.news()).toEqual([]);
  expect(world.names).toEqual(["a#1"]);
});
