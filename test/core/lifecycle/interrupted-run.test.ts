import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { EngineError } from "../../../core/base/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { newFolder } from "../../helpers/processes/new-folder.js";
import { gate, quiet } from "../../helpers/time/gate.js";

const aborted = { errors: [{ code: "ABORTED" }] };

describe("an interrupted run", () => {
  test("starts no handler any more, leaves no intent of one, and says once why", async () => {
    const controller = new AbortController();
    const { world, Thing, stage } = newWorld({}, { concurrency: 1, signal: controller.signal });
    const first = gate();
    world.on("create a", () => first.opened);
    const running = stage.up(() => [Thing("a"), Thing("b"), Thing("c", { uses: first.opened })]);
    const ended = expect(running).rejects.toMatchObject(aborted);
    await quiet();
    controller.abort();
    first.open();
    await ended;
    expect(world.calls).toEqual(["create a"]);
    expect(recordsOf(stage.app)).toEqual([expect.objectContaining({ key: "a", status: "ready" })]);
    expect(stage.told).toEqual(["started a", "created a"]);
  });

  test("leaves what waited for its update or its replacement as it was", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] }, { concurrency: 1 });
    await stage.up(() => Promise.all([Thing("a"), Thing("b", { value: 1 }), Thing("c", { name: "x" })]));
    const before = ["b", "c"].map((key) => stage.record(key));
    const controller = new AbortController();
    const first = gate();
    world.on("update a", () => first.opened);
    const things = () => [Thing("a", { value: 2 }), Thing("b", { value: 2 }), Thing("c", { name: "y" })];
    const ended = expect(stage.up(things, { signal: controller.signal })).rejects.toThrow();
    await quiet();
    controller.abort();
    first.open();
    await ended;
    expect(["b", "c"].map((key) => stage.record(key))).toEqual(before);
    expect(recordsOf(stage.app)).toHaveLength(3);
  });

  test("leaves what waited for its delete wanted: the next program keeps it", async () => {
    const { world, Thing, stage } = newWorld({}, { concurrency: 1, destroyStrategy: "parallel" });
    const both = () => Promise.all([Thing("a"), Thing("b")]);
    await stage.up(both);
    const controller = new AbortController();
    const first = gate();
    for (const id of ["a", "b"]) world.on(`delete ${id}`, () => first.opened);
    const ended = expect(stage.up(() => {}, { signal: controller.signal })).rejects.toMatchObject(aborted);
    await quiet();
    controller.abort();
    first.open();
    await ended;
    expect(recordsOf(stage.app)).toMatchObject([{ status: "ready", attempt: 0 }]);
    world.news();
    await stage.up(both);
    expect(world.calls).toHaveLength(1);
  });

  test("asks about nothing any more that it is not going to delete", async () => {
    const { world, Thing, stage } = newWorld({ read: true }, { concurrency: 1 });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const controller = new AbortController();
    const asked: string[] = [];
    const errors = await stage.failures(
      (app) => {
        app.hooks.beforeDelete.tap("stopping", ({ id }) => {
          asked.push(id);
          controller.abort();
        });
      },
      { signal: controller.signal },
    );
    expect(errors).toMatchObject([{ code: "ABORTED" }]);
    expect(asked).toHaveLength(1);
    expect([stage.heard("state:committed"), stage.told]).toEqual([[], []]);
    expect(world.things.size).toBe(2);
  });

  test("leaves creates that it has not asked about as they were", async () => {
    const { world, Thing, stage } = newWorld({ read: true }, { concurrency: 1 });
    for (const id of ["a", "b"]) world.fails(`create ${id}`, `lost ${id}`);
    await stage.failures(() => Promise.allSettled([Thing("a"), Thing("b")]));
    const controller = new AbortController();
    world.on("read a", () => controller.abort());
    await expect(stage.up(() => {}, { signal: controller.signal })).rejects.toMatchObject(aborted);
    expect(recordsOf(stage.app)).toMatchObject([{ key: "b", error: expect.stringContaining("lost b") }]);
  });
});

describe("a store that fails in the middle of a run", () => {
  const broken = () => Promise.reject(new Error("disk full"));

  async function setUp(durability: "normal" | "full" = "normal") {
    const store = memoryStore();
    const options = { stateStore: store, durability, rootDir: await newFolder() };
    return { ...newWorld({}, options), store, append: store.append };
  }

  test.each(["normal", "full"] as const)("interrupts it, and is reported once (%s)", async (durability) => {
    const { world, Thing, stage, store } = await setUp(durability);
    const errors = await stage.failures(async () => {
      await Thing("a");
      store.append = broken;
      store.create = broken;
      await Promise.all([Thing("b"), Thing("c")]);
    });
    expect(errors.filter((error) => String(error).includes("disk full"))).toHaveLength(1);
    expect(world.calls).toEqual(["create a"]);
  });

  test.each(["normal", "full"] as const)(
    "is not said to be a failure of what has happened (%s)",
    async (durability) => {
      const { world, Thing, stage, store, destroy } = await setUp(durability);
      await stage.up(() => Thing("old"));
      const slow = gate();
      world.on("create a", () => slow.opened);
      const running = stage.up(() => Promise.all([Thing("a"), destroy(Thing("old"))]));
      const ended = expect(running).rejects.toMatchObject({ errors: [{ code: "STORE_FAILED" }] });
      await quiet();
      store.append = broken;
      slow.open();
      await ended;
      expect(stage.heard("resource:failed")).toEqual([]);
      expect(stage.told).toContain("created a");
      expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_FILE" }]);
    },
  );

  test("while engine() destroys keeps what was deleted, and the next run knows it", async () => {
    const { world, Thing, stage, store, append } = await setUp();
    await stage.up(() => Thing("a"));
    world.on("delete a", () => {
      store.append = broken;
    });
    await expect(stage.destroy()).rejects.toThrow("disk full");
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERY_FILE" }]);
    store.append = append;
    const app = await stage.open();
    expect(recordsOf(app)).toEqual([]);
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERED" }]);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "delete a"]);
  });

  test("ends the run although no recovery file can be written either", async () => {
    const rootDir = join(await newFolder(), "file");
    await writeFile(rootDir, "");
    const store = memoryStore();
    const { Thing, stage } = newWorld({}, { stateStore: store, rootDir });
    const running = stage.up(async (app) => {
      await Thing("a");
      store.append = broken;
      await app.set("key", "value");
    });
    await expect(running).rejects.toMatchObject({ errors: [{ code: "STORE_FAILED" }, expect.any(Error)] });
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false }]);
  });
});

test("a destroy that an interruption ends rejects with its reason, once", async () => {
  const interruption = new AbortController();
  const { Thing, stage, destroy } = newWorld({}, { signal: interruption.signal });
  const app = await stage.open();
  app.hooks.beforeDelete.tap("interrupting", () => interruption.abort());
  await app.run(() => Promise.all([Thing("a"), Thing("b")]));
  const destroyed = app.run(() => destroy());
  expect(await destroyed.catch((error: unknown) => error)).toBe(app.signal.reason);
  await expect(app.finalize()).rejects.toMatchObject({ name: "RunFailedError", errors: [app.signal.reason] });
  expect(recordOf(app, "b")).toMatchObject({ status: "ready" });
});

type Signalled = { readonly signal: AbortSignal };

/** Ways in which a handler ends once its signal aborts. */
const ENDS: Readonly<Record<string, (signal: AbortSignal) => unknown>> = {
  "throws the reason": (signal) => {
    throw signal.reason;
  },
  "throws what Node does": (signal) => once(new EventTarget(), "never", { signal }),
  "throws an error of its own because of it": (signal) => {
    throw new Error("The upload broke off.", { cause: signal.reason });
  },
};

function interrupting(end: (signal: AbortSignal) => unknown, at = 2) {
  const interruption = new AbortController();
  let calls = 0;
  const handler = ({ signal }: Signalled): object | Promise<object> => {
    if (++calls < at) return {};
    interruption.abort();
    return Promise.resolve(end(signal)).then(() => ({}));
  };
  const Thing = Resource<object, { on?: unknown }>(newKind(), {
    create: async (context) => handler(context),
    delete: async (context) => void (await handler(context)),
  });
  const stage = new Stage({ concurrency: 1 });
  const options = { signal: interruption.signal };
  return { Thing, stage, options };
}

const five = ["a", "b", "c", "d", "e"];

describe("an interrupted run", () => {
  test.each(Object.entries(ENDS))("has not FAILED where the handler at work %s", async (_how, end) => {
    const { Thing, stage, options } = interrupting(end);
    const run = stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options);
    await expect(run).rejects.toThrow(
      'The run of "app/dev" was interrupted:\n  - The run was aborted by the signal in its option "signal".',
    );
    expect(stage.told).toEqual(["started a", "created a", "started b", "stopped b"]);
    expect(stage.heard("run:finished")).toMatchObject([
      { ok: false, interrupted: true, errors: [{ code: "ABORTED" }] },
    ]);
    expect(stage.heard("run:finished")[0]?.errors).toHaveLength(1);
    expect(stage.summary).toEqual({ created: 1, stopped: 1, notBegun: 3 });
  });

  test("says how much is not begun although all that was at work has ended well", async () => {
    const { Thing, stage, options } = interrupting(() => {});
    await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options).catch(() => {});
    expect(stage.summary).toEqual({ created: 2, notBegun: 3 });
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false, interrupted: true }]);
  });

  test("counts as not begun what waits for the output of something that was stopped", async () => {
    const { Thing, stage, options } = interrupting(ENDS["throws the reason"]!, 1);
    const program = () => {
      const first = Thing("a", {});
      return Promise.all([first, Thing("b", { on: first })]);
    };
    await stage.up(program, options).catch(() => {});
    expect(stage.summary).toEqual({ stopped: 1, notBegun: 1 });
  });

  test.each(["sequential", "parallel"] as const)(
    "says how many deletes are not begun (%s)",
    async (destroyStrategy) => {
      const { Thing, stage, options } = interrupting(ENDS["throws the reason"]!, 7);
      await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))));
      await stage.up(() => {}, { ...options, destroyStrategy }).catch(() => {});
      expect(stage.summary).toEqual({ deleted: 1, stopped: 1, notBegun: 3 });
    },
  );

  test("leaves no failure in the record of what was stopped", async () => {
    const { Thing, stage, options } = interrupting(ENDS["throws what Node does"]!, 1);
    await stage.up(() => Thing("a", {}), options).catch(() => {});
    const app = await stage.open();
    expect(recordOf(app, "a")).toMatchObject({ status: "creating" });
    expect(recordOf(app, "a")?.error).toBeUndefined();
    await app.finalize({ noop: true });
  });

  test("has FAILED where a handler failed for a reason of its own, and still says what is not begun", async () => {
    const { Thing, stage, options } = interrupting(() =>
      Promise.reject(new EngineError("HANDLER_FAILED", "The disk is full.")),
    );
    await stage.up(() => Promise.all(five.map((id) => Thing(id, {}))), options).catch(() => {});
    expect(stage.summary).toEqual({ created: 1, failed: 1, notBegun: 3 });
  });
});
