import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, recordsOf } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

describe("a second generation, by app.run after finalize", () => {
  test("edits, and prunes what it no longer declares", async () => {
    const { world, Thing, stage } = newWorld();
    const app = await stage.up(async () => {
      await Thing("a", { value: 1 });
      await Thing("b");
    });
    for (let times = 0; times < 2; times++) {
      await app.run(() => Thing("a", { value: 2 }));
      await app.finalize();
      expect(world.calls).toEqual(["create a", "create b", "update a", "delete b"]);
    }
    expect(stage.heard("run:finished")).toHaveLength(3);
  });

  test("begins without the failures of the first", async () => {
    const { Thing, stage, failed } = newWorld();
    await failed("create a", () => Thing("a"));
    const { app } = stage;
    await app.run(() => Thing("a"));
    await app.finalize();
    expect(recordOf(app, "a")).toMatchObject({ status: "ready" });
  });

  test("after an interrupted one has a signal of its own", async () => {
    const { world, Thing, stage } = newWorld();
    const app = await stage.up(() => Thing("a"));
    const { signal } = app;
    await app.run(() => Thing("b"));
    expect(app.signal).not.toBe(signal);
    await app.finalize();
    expect(world.names).toEqual(["b#2"]);
  });

  test("of a destroyed stage destroys again", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a"));
    const app = await stage.destroy();
    await stage.up(() => Thing("a"));
    await app.run(() => {});
    expect(world.names).toEqual([]);
    await app.finalize();
  });
});

describe("the same id twice in one generation", () => {
  test.each(["one after the other", "at once"])(
    "is refused, naming both places, %s: only the first call counts",
    async (how) => {
      const { world, Thing, stage } = newWorld();
      const failures = await stage.failures(async () => {
        const first = Thing("a", { value: 1 });
        if (how !== "at once") await first;
        await Promise.all([first, Thing("a", { value: 2 })]);
      });
      const twice = /app\/dev\/a.*twice[\s\S]*generations\.test\.ts:\d+[\s\S]*generations\.test\.ts:\d+/;
      const refused = { code: "DUPLICATE_ID", fqn: "app/dev/a", message: expect.stringMatching(twice) };
      expect(failures).toMatchObject([refused]);
      expect(world.calls).toEqual(["create a"]);
    },
  );

  test("is refused in a handler's children too", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("b")])));
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "DUPLICATE_ID", fqn: "app/dev/a/b" },
      { code: "DUPLICATE_ID", fqn: "app/dev/a" },
    ]);
  });
});

describe("reapply: true", () => {
  const setUp = (type = {}) => newWorld(type, { reapply: true });

  test("queues the calls on one id", async () => {
    const { world, Thing, stage } = setUp();
    const first = gate();
    world.on("create a", () => first.opened);
    const app = await stage.open();
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
    await stage.failures(async () => {
      await Thing("a", { value: 1 });
      world.fails("update a");
      await expect(Thing("a", { value: 2 })).rejects.toThrow();
      world.calm();
      await Thing("a", { value: 3 });
    });
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: 3 } });
  });

  test("declares the children of a handler that runs again once more: those it leaves out are pruned", async () => {
    const { world, Thing, stage } = setUp();
    world.on("create a", async () => void (await Promise.all([Thing("b"), Thing("c")])));
    world.on("update a", async () => void (await Thing("c", { value: 2 })));
    await stage.up(async () => {
      for (const value of [1, 2]) await Thing("a", { value });
    });
    expect(world.calls).toEqual(["create a", "create b", "create c", "update a", "update c", "delete b"]);
    expect(stage.keys).toHaveLength(2);
  });

  test("replaces a resource with the children that are still being made", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"] });
    const slow = gate();
    world.on("create a", () => void Thing("b"));
    world.on("create b", () => slow.opened);
    const running = stage.up(() => Promise.all([Thing("a", { name: "x" }), Thing("a", { name: "y" })]));
    await quiet();
    slow.open();
    const statuses = recordsOf(await running).map(({ key, status }) => `${key} ${status}`);
    expect(statuses.sort()).toEqual(["a ready", "a/b ready"]);
    expect(world.things.size).toBe(2);
  });
});
