import { describe, expect, test } from "vitest";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { undefine } from "../../helpers/apps/undefine.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

const retained = { retainOnDelete: true } as const;
const destroying = { phase: "destroy" } as const;

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type({ replaceOn: ["name"], ...options }), stage: new Stage() };
}

describe("a retained resource is forgotten, and the thing stays,", () => {
  test("when the program drops it", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, retained));
    const app = await stage.up();
    expect(world.calls).toEqual(["create a"]);
    expect(world.names).toEqual(["a#1"]);
    expect(recordsOf(app)).toEqual([]);
    expect(stage.told).toEqual(["retained a"]);
    expect(stage.heard("resource:retained")).toMatchObject([
      { fqn: "app/dev/a", reason: expect.stringContaining("retainOnDelete") },
    ]);
    expect(stage.summary).toEqual({ retained: 1 });
  });

  test("when the declaration that retained it failed before its intent", async () => {
    const { world, Thing, stage } = setUp({ read: true, verify: true });
    await stage.up(() => Thing("a"));
    world.fails("read a", "403");
    await stage.failures(() => Thing("a", {}, retained));
    world.calm();
    await stage.up();
    expect(world.names).toEqual(["a#1"]);
  });

  test("by engine.destroy(), of itself and of its scope", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    await app.run(async () => {
      await stage.engine.destroy(Thing("a", {}, retained));
      await stage.engine.run("s", () => Thing("b", {}, retained));
      await stage.engine.destroy(app);
    });
    await app.finalize();
    expect(recordsOf(app)).toEqual([]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("in the phase destroy, where its kind need not be known any more", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => [Thing("a", {}, retained), Other("b")]);
    const { define } = undefine(Thing);
    const app = await stage.open(destroying);
    await app.finalize();
    define();
    expect(recordsOf(app)).toEqual([]);
    expect(world.names).toEqual(["a#1"]);
    expect(stage.summary).toEqual({ deleted: 1, retained: 1 });
  });

  test("as an orphan of a kind that is not known any more, also where its create was interrupted", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    world.fails("create a");
    await stage.failures(() => Thing("a", {}, retained));
    const { define } = undefine(Thing);
    const app = await stage.up();
    define();
    expect(recordsOf(app)).toEqual([]);
  });

  test("when it is replaced: only the new copy is recorded", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { name: "x" }, retained));
    const app = await stage.up(() => Thing("a", { name: "y" }, retained));
    expect(world.calls).toEqual(["create a", "create a"]);
    expect(world.names).toEqual(["a#1", "a#2"]);
    expect(recordsOf(app)).toEqual([recordOf(app, "a")]);
    expect(stage.summary).toEqual({ replaced: 1, retained: 1 });
  });

  test("when it is replaced in place", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { name: "x" }, retained));
    await stage.up(() => Thing("a", { name: "y" }, { ...retained, deleteBeforeReplace: true }));
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("with its children", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b")));
    world.on("create b", async () => void (await Thing("c")));
    await stage.up(() => Thing("a", {}, retained));
    const app = await stage.up();
    expect(world.names).toEqual(["a#3", "b#2", "c#1"]);
    expect(recordsOf(app)).toEqual([]);
    expect(stage.summary).toEqual({ retained: 3 });
  });
});

describe("retainOnDelete", () => {
  test("is recorded by a run that changes nothing else", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a", {}, retained));
    expect(stage.summary).toEqual({ skipped: 1 });
    await stage.up();
    expect(world.calls).toEqual(["create a"]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("is lifted by a run that changes nothing else", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", {}, retained));
    await stage.up(() => Thing("a"));
    await stage.up();
    expect(world.names).toEqual([]);
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
    await stage.up(() => Thing("a", { value: 1 }, retained));
    const app = await stage.up(() => Thing("a", { value: 2 }, retained));
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toHaveLength(1);
  });
});
