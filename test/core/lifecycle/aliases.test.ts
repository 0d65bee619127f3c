import { describe, expect, test } from "vitest";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type({ replaceOn: ["name"], ...options }), stage: new Stage() };
}

/** Changes that the last run has recorded. */
function changes(stage: Stage): number {
  return stage.heard("state:committed").reduce((sum, event) => sum + event.changes, 0);
}

const was = (...aliases: string[]) => ({ aliases });

describe("a resource that takes over what is recorded under an earlier name", () => {
  test("keeps uid, physical name and place; no handler is called, and one change is written, once", async () => {
    const { world, Thing, stage } = setUp();
    const first = recordOf(await stage.up(() => Thing("a", { value: 1 })), "a");
    world.news();
    const app = await stage.open();
    expect(await app.run(() => Thing("b", { value: 1 }, was("a")))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    expect(recordsOf(app)).toEqual([{ ...first, key: "b" }]);
    expect(changes(stage)).toBe(1);
    expect(stage.summary).toEqual({ skipped: 1 });
    for (const options of [was("a"), {}]) {
      await stage.up(() => Thing("b", { value: 1 }, options));
      expect(stage.heard("state:committed")).toEqual([]);
      expect(stage.summary).toEqual({ skipped: 1 });
    }
    expect(world.calls).toEqual([]);
  });

  test("may come from another scope, by FQN, and go into one", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("old", () => Thing("a")));
    const app = await stage.up(() => stage.engine.run("new", () => Thing("b", {}, was("app/dev/old/a"))));
    expect(recordsOf(app)).toMatchObject([{ key: "new/b", physicalName: "app-old-a-dev" }]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("finds it under any of its earlier names, the first that is recorded", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("b"));
    await stage.up(() => Thing("d", {}, was("c", "b", "a")));
    expect(stage.summary).toEqual({ skipped: 1 });
    await stage.up(() => Thing("e", {}, was("d", "c")));
    expect(stage.summary).toEqual({ skipped: 1 });
    expect(world.calls).toEqual(["create b"]);
  });

  test("goes on from its own record where it has one, and the earlier name is an orphan", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => [Thing("a"), Thing("b")]);
    await stage.up(() => Thing("b", {}, was("a")));
    expect(world.names).toEqual(["b#2"]);
    expect(stage.summary).toEqual({ skipped: 1, deleted: 1 });
  });

  test("leaves the earlier name to another one once it has its record", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("b", {}, was("a")));
    await stage.up(() => [Thing("b", {}, was("a")), Thing("a")]);
    await stage.up(() => [Thing("a"), Thing("b", {}, was("a"))]);
    expect(stage.summary).toEqual({ skipped: 2 });
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("takes its children along, with their data, and that of its handler's scope", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => {
      await Thing("child");
      await stage.engine.run("inner", async (scope) => {
        await scope.set("key", "inside");
        await Thing("deep");
      });
    });
    world.on("create child", ({ set }) => set("key", "of the child"));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    const app = await stage.up(() => Thing("b", { value: 1 }, was("a")));
    expect(
      recordsOf(app)
        .map(({ key }) => key)
        .sort(),
    ).toEqual(["b", "b/child", "b/inner/deep"]);
    const seen: unknown[] = [];
    world.on("update b", async () => {
      await Thing("child", { value: 2 });
      await stage.engine.run("inner", async (scope) => {
        seen.push(await scope.get("key"));
        await Thing("deep");
      });
    });
    world.on("update child", async ({ get }) => void seen.push(await get("key")));
    await stage.up(() => Thing("b", { value: 2 }));
    expect(seen).toEqual(["of the child", "inside"]);
    expect(world.calls).toEqual(["update b", "update child"]);
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("takes old copies along that wait for their delete", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { name: "x" }));
    world.fails("delete a");
    await stage.failures(() => Thing("a", { name: "y" }));
    world.calm();
    const app = await stage.up(() => Thing("b", { name: "y" }, was("a")));
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toMatchObject([{ key: "b", status: "ready" }]);
    expect(recordOf(app, "b")?.replaces).toBeUndefined();
  });

  test("is updated, or replaced, where its props changed at the same time", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    await stage.up(() => Thing("b", { value: 2 }, was("a")));
    await stage.up(() => Thing("c", { value: 2, name: "y" }, was("b")));
    expect(world.calls).toEqual(["create a", "update b", "create c", "delete c"]);
    expect(world.names).toEqual(["c#2"]);
  });

  test("is replaced where its kind changed at the same time", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => Thing("a"));
    await stage.up(() => Other("b", {}, was("a")));
    expect(world.names).toEqual(["b#2"]);
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1 });
  });

  test("moves into, and out of, the handler of another", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    world.on("create p", async () => void (await Thing("a", {}, was("app/dev/a"))));
    const app = await stage.up(() => Thing("p"));
    expect(recordOf(app, "p/a")?.parent).toBe(recordOf(app, "p")?.uid);
    const after = await stage.up(() => [Thing("p"), Thing("a", {}, was("app/dev/p/a"))]);
    expect(recordOf(after, "a")?.parent).toBeUndefined();
    expect(world.names).toEqual(["a#1", "p#2"]);
  });

  test("is protected as before, and goes on with an interrupted update", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a");
    await stage.failures(() => Thing("a", { value: 2 }));
    const seen: unknown[] = [];
    world.on("update b", ({ recovering, attempt }) => void seen.push(recovering, attempt));
    await stage.up(() => Thing("b", { value: 2 }, was("a")));
    expect(seen).toEqual([true, 2]);
  });
});

describe("an earlier name", () => {
  test.each([{ phase: "read" }, { phase: "destroy" }] as const)("is found in the phase $phase", async ({ phase }) => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    const app = await stage.open({ phase });
    expect(await app.run(() => Thing("b", {}, was("a")))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    expect(world.names).toEqual(phase === "read" ? ["a#1"] : []);
    if (phase === "read") expect(recordsOf(app)).toMatchObject([{ key: "a" }]);
  });
});
