/** Engines that keep few checkpoints and copies, as a service with thousands of stages does. */
import { describe, expect, it, test } from "vitest";
import { type MemoryStore, memoryStore } from "../../../adapters/memory/index.js";
import { ledgerKeys } from "../../../core/state/keys.js";
import { createEngine, type EngineParts } from "../../../plugins/engine/index.js";
import { World } from "../../helpers/apps/world.js";

const few = { checkpoints: 1, histories: 1 };

async function keysOf(store: MemoryStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of store.list(ledgerKeys("fleet", "dev").root)) keys.push(key);
  return keys;
}

/** Changes the stage once, with an engine of these settings. */
async function change(stateStore: MemoryStore, Thing: ReturnType<World["type"]>, value: number, settings: EngineParts) {
  const names = ["a", "b", "c", "d", "e"];
  const options = { stage: "dev", stateStore } as const;
  await createEngine(settings).up("fleet", options, () =>
    Promise.all(names.map((name) => Thing(name, { value: name === "a" ? value : 0 }))),
  );
}

describe.each([true, false])("on a store whose entries grow (%s),", (append) => {
  it("a run does not lose its results because another one, which keeps fewer checkpoints, ran meanwhile", async () => {
    const stateStore = memoryStore({ append });
    const world = new World();
    const Thing = world.type();
    const options = { stage: "dev", stateStore, lockTimeout: 60_000 } as const;
    await change(stateStore, Thing, 1, few);
    let isFirst = true;
    await createEngine().up("fleet", options, async () => {
      if (isFirst) await change(stateStore, Thing, 2, few);
      isFirst = false;
      await Promise.all(["a", "b", "c", "d", "e"].map((name) => Thing(name, { value: name === "a" ? 2 : 0 })));
      await Thing("late", { value: 9 });
    });
    const { summary } = await createEngine().down("fleet", options);
    expect(summary.deleted).toBe(6);
    expect(world.names).toEqual([]);
  });

  it("a stage keeps at most 15 keys, however often it changes", async () => {
    const stateStore = memoryStore({ append });
    const Thing = new World().type();
    for (let value = 1; value <= 30; value++) await change(stateStore, Thing, value, few);
    expect((await keysOf(stateStore)).length).toBeLessThanOrEqual(15);
  });

  it("a stage keeps no copy for display if it has to keep none", async () => {
    const stateStore = memoryStore({ append });
    const Thing = new World().type();
    for (let value = 1; value <= 3; value++) await change(stateStore, Thing, value, { checkpoints: 1, histories: 0 });
    const { histories } = ledgerKeys("fleet", "dev");
    expect((await keysOf(stateStore)).filter((key) => key.startsWith(histories))).toEqual([]);
  });
});

test.each<[string, EngineParts, string]>([
  ["checkpoints", { checkpoints: 0 }, "a whole number of at least 1"],
  ["checkpoints", { checkpoints: 1.5 }, "a whole number of at least 1"],
  ["checkpoints", { checkpoints: Number.NaN }, "a whole number of at least 1"],
  ["checkpoints", { checkpoints: "1" as never }, "a whole number of at least 1"],
  ["histories", { histories: -1 }, "a whole number of at least 0"],
  ["histories", { histories: Number.POSITIVE_INFINITY }, "a whole number of at least 0"],
  ["histories", { histories: null as never }, "a whole number of at least 0"],
])("createEngine() refuses a wrong number of %s: %j", (name, parts, allowed) => {
  expect(() => createEngine(parts)).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`"${name}" of createEngine() must be ${allowed}`),
    }),
  );
});
