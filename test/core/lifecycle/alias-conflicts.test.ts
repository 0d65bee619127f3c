import { describe, expect, test } from "vitest";
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
