import { describe, expect, test, vi } from "vitest";
import { sleep } from "../../../core/base/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import type { Called } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";
import { inSimulatedTime } from "../../helpers/time/in-simulated-time.js";

/** A handler that ends when its signal aborts, like a request. */
const heeding = ({ signal }: Called): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

const late = { timeout: 20 } as const;

describe("a handler that takes longer than its timeout", () => {
  test("has its signal aborted and fails with TIMEOUT, and the next up goes on from there", async () => {
    const { world, Thing, stage } = newWorld({ read: true });
    world.on("create a", heeding);
    const message = expect.stringMatching(/^create of "app\/dev\/a" took longer than 20 ms\. /);
    const failures = await stage.failures(() => Thing("a", {}, late));
    expect(failures).toMatchObject([{ code: "TIMEOUT", fqn: "app/dev/a", message }]);
    expect(stage.record("a")).toMatchObject({ status: "creating", error: expect.stringContaining("20 ms") });
    world.calm();
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "read a", "create a"]);
    expect(stage.summary).toEqual({ created: 1 });
  });

  test.each(["update", "delete", "read"])("does so in its %s", async (phase) => {
    const { world, Thing, stage } = newWorld({ verify: phase === "read", read: true });
    await stage.up(() => Thing("a", { value: 1 }));
    world.on(`${phase} a`, heeding);
    const failures = await stage.failures(async () => {
      const pending = Thing("a", { value: phase === "update" ? 2 : 1 }, late);
      if (phase === "delete") await stage.engine.destroy(pending);
    });
    expect(failures).toMatchObject([{ code: "TIMEOUT", fqn: "app/dev/a", message: expect.stringContaining(phase) }]);
    world.calm();
    await stage.up(() => Thing("a", { value: 2 }));
    expect([...world.things.values()]).toMatchObject([{ value: 2 }]);
  });

  test("and does not heed its signal is left behind after a while, and is not called again", async () => {
    const { world, Thing, stage } = newWorld();
    const end = gate();
    world.on("create a", () => end.opened);
    const failures = await stage.failures(() => Thing("a", {}, { ...late, retry: 5 }));
    expect(failures).toMatchObject([{ code: "TIMEOUT", message: expect.stringContaining("it keeps running") }]);
    expect(stage.heard("resource:retrying")).toEqual([]);
    expect(world.calls).toEqual(["create a"]);
    // The run no longer depends on the handler's outcome.
    end.open();
    await quiet();
  });

  test("and heeds its signal is called again where that is asked for", async () => {
    const { world, Thing, stage } = newWorld({ idempotent: true });
    const slow = [heeding, heeding];
    world.on("create a", (context) => slow.pop()?.(context));
    await stage.up(() => Thing("a", {}, { ...late, retry: { attempts: 3, delay: 1 } }));
    expect(world.calls).toEqual(["create a", "create a", "create a"]);
  });

  test.each(["comes to its end when it is told to", "asks to be replaced then"])(
    "counts all the same where it %s",
    async (how) => {
      const { world, Thing, stage } = newWorld();
      await stage.up(() => Thing("a", { value: 1 }));
      world.on("update a", async (context) => {
        await heeding(context).catch(() => {});
        if (how.startsWith("asks")) context.replace();
      });
      await stage.up(() => Thing("a", { value: 2 }, late));
      expect(stage.summary).toEqual(how.startsWith("asks") ? { replaced: 1, deleted: 1 } : { updated: 1 });
    },
  );
});

describe("the time of a handler", () => {
  test("does not begin before it has its place", async () => {
    const { world, Thing, stage } = newWorld({}, { concurrency: 1 });
    world.on("create a", () => sleep(120));
    await inSimulatedTime(() => stage.up(() => [Thing("a"), Thing("b", {}, { timeout: 60 })]));
    expect(stage.summary).toEqual({ created: 2 });
  });

  test("does not hold up the run once it has ended", async () => {
    const { Thing, stage } = newWorld();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await stage.up(() => Thing("a", {}, { timeout: 60_000 }));
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

test("an interruption reaches a handler that has a timeout", async () => {
  const controller = new AbortController();
  const { world, Thing, stage } = newWorld({}, { signal: controller.signal });
  world.on("create a", heeding);
  const failures = stage.failures(() => Thing("a", {}, { timeout: 60_000, retry: 3 }));
  await quiet();
  controller.abort();
  expect(await failures).toMatchObject([{ code: "ABORTED" }]);
  expect(world.calls).toEqual(["create a"]);
});
