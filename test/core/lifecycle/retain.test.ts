import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { undefine } from "../../helpers/apps/undefine.js";
import type { TypeOptions } from "../../helpers/apps/world.js";

const retained = { retainOnDelete: true } as const;
const setUp = (type: TypeOptions = {}) => newWorld({ replaceOn: ["name"], ...type });

describe("a retained resource is forgotten, and the thing stays,", () => {
  test("when the program drops it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, retained));
    await stage.up();
    expect([world.calls, world.names, stage.keys]).toEqual([["create a"], ["a#1"], []]);
    expect(stage.told).toEqual(["retained a"]);
    const reason = expect.stringContaining("retainOnDelete");
    expect(stage.heard("resource:retained")).toMatchObject([{ fqn: "app/dev/a", reason }]);
    expect(stage.summary).toEqual({ retained: 1 });
  });

  test("when the declaration that retained it failed before its intent", async () => {
    const { world, Thing, stage, failed } = setUp({ read: true, verify: true });
    await stage.up(() => Thing("a"));
    await failed("read a", () => Thing("a", {}, retained));
    await stage.up();
    expect(world.names).toEqual(["a#1"]);
  });

  test("by engine.destroy(), of itself and of its scope", async () => {
    const { world, Thing, stage, destroy, run } = setUp();
    await stage.up(async (app) => {
      await destroy(Thing("a", {}, retained));
      await run("s", () => Thing("b", {}, retained));
      await destroy(app);
    });
    expect([world.names, stage.keys]).toEqual([["a#1", "b#2"], []]);
  });

  test("in the phase destroy, where its kind need not be known any more", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => [Thing("a", {}, retained), Other("b")]);
    const { define } = undefine(Thing);
    await stage.destroy();
    define();
    expect([world.names, stage.keys]).toEqual([["a#1"], []]);
    expect(stage.summary).toEqual({ deleted: 1, retained: 1 });
  });

  test("as an orphan of a kind that is not known any more, also where its create was interrupted", async () => {
    const { Thing, stage, failed } = setUp({ read: true });
    await failed("create a", () => Thing("a", {}, retained));
    const { define } = undefine(Thing);
    await stage.up();
    define();
    expect(stage.keys).toEqual([]);
  });

  test.each([{}, { deleteBeforeReplace: true }])(
    "when it is replaced: only the new copy is recorded (%o)",
    async (first) => {
      const { world, Thing, stage } = setUp();
      await stage.up(() => Thing("a", { name: "x" }, retained));
      await stage.up(() => Thing("a", { name: "y" }, { ...retained, ...first }));
      expect(world.calls).toEqual(["create a", "create a"]);
      expect([world.names, stage.keys]).toEqual([["a#1", "a#2"], ["a"]]);
      expect(stage.summary).toEqual({ replaced: 1, retained: 1 });
    },
  );

  test("with its children", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b")));
    world.on("create b", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", {}, retained));
    await stage.up();
    expect([world.names, stage.keys]).toEqual([["a#3", "b#2", "c#1"], []]);
    expect(stage.summary).toEqual({ retained: 3 });
  });
});

describe("retainOnDelete", () => {
  test.each([
    ["recorded", {}, retained, ["a#1"]],
    ["lifted", retained, {}, []],
  ])("is %s by a run that changes nothing else", async (_what, before, after, left) => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, before));
    await stage.up(() => Thing("a", {}, after));
    expect(stage.summary).toEqual({ unchanged: 1 });
    await stage.up();
    expect(world.names).toEqual(left);
  });

  test.each([{ first: false }, { first: true }])(
    "holds for the copy that is replaced as the program says it now (deleteBeforeReplace: $first)",
    async ({ first }) => {
      const { world, Thing, stage } = setUp();
      await stage.up(() => [Thing("a", { name: "x" }), Thing("b", { name: "x" }, retained)]);
      const how = { deleteBeforeReplace: first };
      await stage.up(() => [Thing("a", { name: "y" }, { ...retained, ...how }), Thing("b", { name: "y" }, how)]);
      expect(world.names).toEqual(expect.arrayContaining(["a#1", "a#3"]));
      expect(world.names.filter((name) => name.startsWith("b"))).toHaveLength(1);
    },
  );

  test("of a parent does not keep a child that its handler has dropped", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b")));
    for (const value of [1, 2]) await stage.up(() => Thing("a", { value }, retained));
    expect([world.names, stage.keys]).toEqual([["a#2"], ["a"]]);
  });
});
