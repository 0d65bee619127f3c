import { describe, expect, test } from "vitest";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

function setUp() {
  const world = new World();
  return { world, Thing: world.type(), stage: new Stage() };
}

describe("a second generation, by app.run after finalize", () => {
  test("edits, and prunes what it no longer declares", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.up(async () => {
      await Thing("a", { value: 1 });
      await Thing("b");
    });
    await app.run(() => Thing("a", { value: 2 }));
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create b", "update a", "delete b"]);
    await app.run(() => Thing("a", { value: 2 }));
    await app.finalize();
    expect(world.calls).toHaveLength(4);
    expect(stage.heard("run:finished")).toHaveLength(3);
  });

  test("begins without the failures of the first", async () => {
    const { world, Thing, stage } = setUp();
    world.fails("create a");
    const app = await stage.open();
    await expect(app.run(() => Thing("a"))).rejects.toThrow();
    await expect(app.finalize()).rejects.toThrow();
    world.calm();
    await app.run(() => Thing("a"));
    await app.finalize();
    expect(recordOf(app, "a")).toMatchObject({ status: "ready" });
  });

  test("after an interrupted one has a signal of its own", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.up(() => Thing("a"));
    const { signal } = app;
    await app.run(() => Thing("b"));
    expect(app.signal).not.toBe(signal);
    await app.finalize();
    expect(world.names).toEqual(["b#2"]);
  });

  test("of a destroyed stage destroys again", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const app = await stage.open({ phase: "destroy" });
    await app.finalize();
    await stage.up(() => Thing("a"));
    await app.run(() => {});
    expect(world.names).toEqual([]);
    await app.finalize();
  });
});

describe("the same id twice in one generation", () => {
  test("is refused, naming both places, and only the first call counts", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    const running = app.run(async () => {
      await Thing("a", { value: 1 });
      await Thing("a", { value: 2 });
    });
    const twice = /app\/dev\/a.*twice[\s\S]*generations\.test\.ts:\d+[\s\S]*generations\.test\.ts:\d+/;
    await expect(running).rejects.toMatchObject({ code: "DUPLICATE_ID", message: expect.stringMatching(twice) });
    expect(world.calls).toEqual(["create a"]);
    await expect(app.finalize()).rejects.toThrow();
  });

  test("is refused in a handler's children too", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("b")])));
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "DUPLICATE_ID", fqn: "app/dev/a/b" },
      { code: "DUPLICATE_ID", fqn: "app/dev/a" },
    ]);
  });

  test("is fine in another generation", async () => {
    const { Thing, stage } = setUp();
    const app = await stage.up(() => Thing("a"));
    await app.run(() => Thing("a"));
    await app.finalize();
    expect(stage.summary).toEqual({ skipped: 1 });
  });
});

describe("reapply: true", () => {
  test("queues the calls on one id", async () => {
    const { world, Thing, stage } = setUp();
    const first = gate();
    world.on("create a", () => first.opened);
    const app = await stage.open({ reapply: true });
    const running = app.run(() => Promise.all([1, 2, 3].map((value) => Thing("a", { value }))));
    await quiet();
    expect(world.calls).toEqual(["create a"]);
    first.open();
    expect((await running).map(({ value }) => value)).toEqual([1, 2, 3]);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "update a", "update a"]);
    expect(recordsOf(app)).toHaveLength(1);
  });

  test("goes on after a call that failed", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open({ reapply: true });
    await app.run(() => Thing("a", { value: 1 }));
    world.fails("update a");
    await expect(app.run(() => Thing("a", { value: 2 }))).rejects.toThrow();
    world.calm();
    await app.run(() => Thing("a", { value: 3 }));
    await expect(app.finalize()).rejects.toThrow();
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 3 } });
  });

  test("declares the children of a handler that runs again anew: those it leaves out are pruned", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    world.on("update a", async () => void (await Thing("c", { value: 2 })));
    const app = await stage.open({ reapply: true });
    await app.run(() => Thing("a", { value: 1 }));
    await app.run(() => Thing("a", { value: 2 }));
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create b", "create c", "update a", "update c", "delete b"]);
    expect(recordsOf(app)).toHaveLength(2);
  });

  test("replaces a resource with the children that are still being made", async () => {
    const { world } = setUp();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage({ reapply: true });
    const slow = gate();
    world.on("create a", () => void Thing("b"));
    world.on("create b", () => slow.opened);
    const app = await stage.open();
    const running = app.run(() => Promise.all([Thing("a", { name: "x" }), Thing("a", { name: "y" })]));
    await quiet();
    slow.open();
    await running;
    await app.finalize();
    expect(
      recordsOf(app)
        .map(({ key, status }) => [key, status])
        .sort(),
    ).toEqual([
      ["a", "ready"],
      ["a/b", "ready"],
    ]);
    expect(world.things.size).toBe(2);
  });

  test("keeps children of a call that was skipped", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Thing("b")));
    const app = await stage.open({ reapply: true });
    await app.run(() => Thing("a"));
    await app.run(() => Thing("a"));
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create b"]);
  });
});
