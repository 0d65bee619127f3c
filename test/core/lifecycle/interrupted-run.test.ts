import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("an interrupted run", () => {
  test("starts no handler any more, leaves no intent of one, and says once why", async () => {
    const { world, Thing } = setUp();
    const controller = new AbortController();
    const stage = new Stage({ concurrency: 1, signal: controller.signal });
    const first = gate();
    world.on("create a", () => first.opened);
    const app = await stage.open();
    const running = app
      .run(() => Promise.all([Thing("a"), Thing("b"), Thing("c", { uses: first.opened })]))
      .catch(() => {});
    await quiet();
    controller.abort();
    first.open();
    await running;
    await expect(app.finalize()).rejects.toMatchObject({ errors: [{ code: "ABORTED" }] });
    expect(world.calls).toEqual(["create a"]);
    expect(recordsOf(app).map(({ key, status }) => [key, status])).toEqual([["a", "ready"]]);
    expect(stage.told).toEqual(["started a", "created a"]);
  });

  test("leaves what waited for its update or its replacement as it was", async () => {
    const { world } = setUp();
    const Thing = world.type({ replaceOn: ["name"] });
    const stage = new Stage({ concurrency: 1 });
    await stage.up(() => Promise.all([Thing("a"), Thing("b", { value: 1 }), Thing("c", { name: "x" })]));
    const controller = new AbortController();
    const first = gate();
    world.on("update a", () => first.opened);
    const app = await stage.open({ signal: controller.signal });
    const before = ["b", "c"].map((key) => recordOf(app, key));
    const things = () => [Thing("a", { value: 2 }), Thing("b", { value: 2 }), Thing("c", { name: "y" })];
    const running = app.run(() => Promise.all(things())).catch(() => {});
    await quiet();
    controller.abort();
    first.open();
    await running;
    await expect(app.finalize()).rejects.toThrow();
    expect(["b", "c"].map((key) => recordOf(app, key))).toEqual(before);
    expect(recordsOf(app)).toHaveLength(3);
  });

  test("leaves what waited for its delete wanted: the next program keeps it", async () => {
    const { world, Thing } = setUp();
    const stage = new Stage({ concurrency: 1, destroyStrategy: "parallel" });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const controller = new AbortController();
    const first = gate();
    for (const id of ["a", "b"]) world.on(`delete ${id}`, () => first.opened);
    const app = await stage.open({ signal: controller.signal });
    const finalized = app.finalize().catch((error: unknown) => error);
    await quiet();
    controller.abort();
    first.open();
    expect(await finalized).toMatchObject({ errors: [{ code: "ABORTED" }] });
    expect(recordsOf(app)).toMatchObject([{ status: "ready", attempt: 0 }]);
    world.news();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(world.calls).toHaveLength(1);
  });

  test("asks about nothing any more that it is not going to delete", async () => {
    const world = new World();
    const Thing = world.type({ read: true });
    const controller = new AbortController();
    const asked: string[] = [];
    const stage = new Stage({ concurrency: 1 });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const stopping = definePlugin({
      name: "stopping",
      apply: ({ hooks }) =>
        hooks.beforeDelete.tap("stopping", ({ id }) => {
          asked.push(id);
          controller.abort();
        }),
    });
    const errors = await stage.failures(() => {}, { signal: controller.signal, plugins: [stopping] });
    expect(errors).toMatchObject([{ code: "ABORTED" }]);
    expect(asked).toHaveLength(1);
    expect(stage.heard("state:committed")).toEqual([]);
    expect(world.things.size).toBe(2);
    expect(stage.told).toEqual([]);
  });

  test("leaves creates that it has not asked about as they were", async () => {
    const world = new World();
    const Thing = world.type({ read: true });
    const stage = new Stage({ concurrency: 1 });
    for (const id of ["a", "b"]) world.fails(`create ${id}`, `lost ${id}`);
    await stage.failures(() => Promise.allSettled([Thing("a"), Thing("b")]));
    const controller = new AbortController();
    world.on("read a", () => controller.abort());
    const app = await stage.open({ signal: controller.signal });
    await expect(app.finalize()).rejects.toMatchObject({ errors: [{ code: "ABORTED" }] });
    expect(recordsOf(app)).toMatchObject([{ key: "b", error: expect.stringContaining("lost b") }]);
  });

  test("tells of a delete that stopped at its signal, and keeps it pending", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    const controller = new AbortController();
    world.on("delete a", ({ signal }) => {
      controller.abort();
      signal.throwIfAborted();
    });
    const app = await stage.open({ signal: controller.signal });
    await expect(app.finalize()).rejects.toMatchObject({ errors: [{ code: "ABORTED" }] });
    expect(stage.told).toEqual(["started a", "stopped a"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "deleting" });
  });

  test("fails with its interruption alone, where a handler stopped at its signal", async () => {
    const { world, Thing, stage } = setUp();
    const controller = new AbortController();
    world.on("create a", ({ signal }) => {
      controller.abort();
      signal.throwIfAborted();
    });
    const errors = await stage.failures(() => Thing("a"), { signal: controller.signal });
    expect(errors).toMatchObject([{ code: "ABORTED", message: "The run was aborted by its signal." }]);
  });
});

describe("a store that fails in the middle of a run", () => {
  test.each(["normal", "full"] as const)("interrupts it, and is told once (%s)", async (durability) => {
    const { world, Thing } = setUp();
    const store = memoryStore();
    const rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
    const stage = new Stage({ stateStore: store, durability, rootDir });
    const app = await stage.open();
    const broken = Promise.reject(new Error("disk full"));
    broken.catch(() => {});
    const running = app.run(async () => {
      await Thing("a");
      store.append = () => broken;
      store.create = () => broken;
      await Promise.all([Thing("b"), Thing("c")]);
    });
    await expect(running).rejects.toThrow();
    const error = await app.finalize().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "RunFailedError" });
    const told = Reflect.get(Object(error), "errors");
    expect(told.filter((one: unknown) => String(one).includes("disk full"))).toHaveLength(1);
    expect(world.calls).toEqual(["create a"]);
    await rm(rootDir, { recursive: true });
  });

  test.each(["normal", "full"] as const)(
    "is not said to be a failure of what has happened (%s)",
    async (durability) => {
      const { world, Thing } = setUp();
      const rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
      const store = memoryStore();
      const stage = new Stage({ stateStore: store, durability, rootDir });
      await stage.up(() => Thing("old"));
      const slow = gate();
      world.on("create a", () => slow.opened);
      const app = await stage.open();
      const running = app.run(() => Promise.all([Thing("a"), stage.engine.destroy(Thing("old"))]));
      await quiet();
      store.append = () => Promise.reject(new Error("disk full"));
      slow.open();
      await running.catch(() => {});
      await expect(app.finalize()).rejects.toMatchObject({ errors: [{ code: "STORE_FAILED" }] });
      expect(stage.heard("resource:failed")).toEqual([]);
      expect(stage.told).toContain("created a");
      expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_FILE" }]);
      await rm(rootDir, { recursive: true });
    },
  );

  test("while engine() destroys keeps what was deleted, and the next run knows it", async () => {
    const { world, Thing } = setUp();
    const rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
    const store = memoryStore();
    const { append } = store;
    const stage = new Stage({ stateStore: store, rootDir });
    await stage.up(() => Thing("a"));
    world.on("delete a", () => {
      store.append = () => Promise.reject(new Error("disk full"));
    });
    await expect(stage.open({ phase: "destroy" })).rejects.toThrow("disk full");
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_FILE" }]);
    store.append = append;
    const app = await stage.open();
    expect(recordsOf(app)).toEqual([]);
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERED" }]);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "delete a"]);
    await rm(rootDir, { recursive: true });
  });

  test("ends the run although no recovery file can be written either", async () => {
    const { Thing } = setUp();
    const folder = await mkdtemp(join(tmpdir(), "scope-engine-"));
    const rootDir = join(folder, "file");
    await writeFile(rootDir, "");
    const store = memoryStore();
    const stage = new Stage({ stateStore: store, rootDir });
    const app = await stage.open();
    await app.run(async () => {
      await Thing("a");
      store.append = () => Promise.reject(new Error("disk full"));
      await app.set("key", "value");
    });
    await expect(app.finalize()).rejects.toMatchObject({ errors: [{ code: "STORE_FAILED" }, expect.any(Error)] });
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false }]);
    await rm(folder, { recursive: true });
  });
});

test("a destroy that an interruption ends rejects with its reason, once", async () => {
  const { Thing } = setUp();
  const interruption = new AbortController();
  const interrupting = definePlugin({
    name: "interrupting",
    apply: ({ hooks }) => hooks.beforeDelete.tap("interrupting", () => interruption.abort()),
  });
  const stage = new Stage({ signal: interruption.signal, plugins: [interrupting] });
  const app = await stage.open();
  await app.run(() => Promise.all([Thing("a"), Thing("b")]));
  const destroyed = app.run(() => stage.engine.destroy());
  expect(await destroyed.catch((error: unknown) => error)).toBe(app.signal.reason);
  await expect(app.finalize()).rejects.toMatchObject({ name: "RunFailedError", errors: [app.signal.reason] });
});
