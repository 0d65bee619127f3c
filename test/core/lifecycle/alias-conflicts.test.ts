import { describe, expect, test } from "vitest";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

function setUp() {
  const world = new World();
  return { world, Thing: world.type(), stage: new Stage() };
}

const conflict = (...names: readonly string[]) => ({
  code: "ALIAS_CONFLICT",
  message: expect.stringMatching(new RegExp(names.map((name) => `"app/dev/${name}"`).join(".*"))),
});

describe("ALIAS_CONFLICT is what becomes of", () => {
  test("a resource that names itself", async () => {
    const { Thing, stage } = setUp();
    expect(await stage.failures(() => Thing("a", {}, { aliases: ["a"] }))).toMatchObject([conflict("a", "a")]);
  });

  test("two that name each other", async () => {
    const { Thing, stage } = setUp();
    const program = () => [Thing("a", {}, { aliases: ["b"] }), Thing("b", {}, { aliases: ["a"] })];
    expect(await stage.failures(program)).toEqual(
      expect.arrayContaining([expect.objectContaining(conflict("a", "b"))]),
    );
  });

  test("three that name each other in a circle, whatever is recorded", async () => {
    const { Thing, stage, world } = setUp();
    await stage.up(() => [Thing("a"), Thing("b"), Thing("c")]);
    const failures = await stage.failures(() => [
      Thing("a", {}, { aliases: ["b"] }),
      Thing("b", {}, { aliases: ["c"] }),
      Thing("c", {}, { aliases: ["a"] }),
    ]);
    expect(failures).toMatchObject([conflict("a", "c", "b", "a")]);
    expect(world.names).toEqual(["a#1", "b#2", "c#3"]);
  });

  test("two that name the same", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const program = () => [Thing("b", {}, { aliases: ["a"] }), Thing("c", {}, { aliases: ["a"] })];
    expect(await stage.failures(program)).toMatchObject([conflict("b", "c", "a")]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("one that names what is declared before it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const failures = await stage.failures(async () => {
      await Thing("a");
      await Thing("b", {}, { aliases: ["a"] });
    });
    expect(failures).toMatchObject([conflict("b", "a")]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("one that names what is declared after it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const failures = await stage.failures(async () => {
      await Thing("b", {}, { aliases: ["a"] });
      await Thing("a");
    });
    expect(failures).toMatchObject([conflict("b", "a")]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("one that names what is declared beside it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    for (const order of [["a", "b"] as const, ["b", "a"] as const]) {
      const declare = (id: string) => (id === "a" ? Thing("a") : Thing("b", {}, { aliases: ["a"] }));
      expect(await stage.failures(() => order.map(declare))).toMatchObject([conflict("b", "a")]);
    }
    expect(world.calls).toEqual(["create a"]);
  });

  test("one that names what is declared, in the first run of all", async () => {
    const { Thing, stage } = setUp();
    const failures = await stage.failures(() => [Thing("a"), Thing("b", {}, { aliases: ["a"] })]);
    expect(failures).toMatchObject([conflict("b", "a")]);
  });
});

test("a conflict leaves what is recorded as it was, and the next run without it changes nothing", async () => {
  const { Thing, stage } = setUp();
  const before = recordsOf(await stage.up(() => [Thing("a"), Thing("b")]));
  await stage.failures(() => [Thing("a"), Thing("c", {}, { aliases: ["a"] }), Thing("b")]);
  const app = await stage.up(() => [Thing("a"), Thing("b")]);
  expect(recordsOf(app)).toEqual(before);
  expect(stage.heard("state:committed")).toEqual([]);
});

describe("the name of something in", () => {
  test.each([
    ["another stage", "app/prod/a"],
    ["another app", "shop/dev/a"],
    ["another stage that begins alike", "app/dev2/a"],
    ["nothing", "app/dev/"],
  ])("%s is INVALID_OPTION", async (_what, alias) => {
    const { Thing, stage } = setUp();
    expect(await stage.failures(() => Thing("b", {}, { aliases: [alias] }))).toMatchObject([
      { code: "INVALID_OPTION", fqn: "app/dev/b", message: expect.stringContaining(`"${alias}"`) },
    ]);
  });
});
