import { describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { World } from "../helpers/apps/world.js";
import { gate, quiet } from "../helpers/time/gate.ts";

function setUp() {
  const world = new World();
  const [Thing, stateStore] = [world.type(), memoryStore()];
  const engine = createEngine();
  const options = { stage: "dev", stateStore, lockTimeout: 60_000 };
  return { world, Thing, engine, options };
}

describe("engine.down()", () => {
  test("deletes all of a stage, dependents first, and says how much", async () => {
    const { world, Thing, engine, options } = setUp();
    await engine.up("app", options, async () => {
      const a = await Thing("a");
      await Thing("b", { uses: a });
    });
    world.news();
    const { summary } = await engine.down("app", options);
    expect(summary).toMatchObject({ deleted: 2 });
    expect(world.calls).toEqual(["delete b", "delete a"]);
    expect((await engine.down("app", options)).summary).toMatchObject({ deleted: 0 });
  });

  test.each(["lazy", "eager"] as const)(
    "waits for a run that has the stage and changes it meanwhile, lock %s",
    async (lock) => {
      const { world, Thing, engine, options } = setUp();
      await engine.up("app", options, () => Thing("a", { value: 1 }));
      const { opened, open } = gate();
      const begun = gate();
      world.on("update a", () => {
        begun.open();
        return opened;
      });
      const updating = engine.up("app", options, () => Thing("a", { value: 2 }));
      await begun.opened;
      const deleting = engine.down("app", { ...options, lock });
      await quiet();
      open();
      expect((await updating).summary).toMatchObject({ updated: 1 });
      expect((await deleting).summary).toMatchObject({ deleted: 1 });
      expect(world.names).toEqual([]);
    },
  );

  test("and an up at the same time both succeed, whichever comes first", async () => {
    const { engine, Thing, options } = setUp();
    const stages = Array.from({ length: 10 }, (_, index) => ({ ...options, stage: `s${index}` }));
    await Promise.all(
      stages.map(async (stage) => {
        await engine.up("app", stage, () => Thing("a", { value: 1 }));
        await Promise.all([engine.up("app", stage, () => Thing("a", { value: 2 })), engine.down("app", stage)]);
      }),
    );
  });
});
