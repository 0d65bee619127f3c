import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf } from "../../helpers/apps/stage.js";

/** A stage that has "old" in the scope "s". */
async function setUp() {
  const there = newWorld();
  await there.stage.up(() => there.run("s", () => there.Thing("old")));
  there.world.news();
  return there;
}

describe("a scope that is not the root", () => {
  test("prunes nothing by itself when its function ends, nor when it is entered again", async () => {
    const { world, Thing, stage, run } = newWorld();
    await stage.up(() => run("s", () => Promise.all([Thing("a"), Thing("b")])));
    await stage.up(async () => {
      for (const id of ["a", "b"]) await run("s", () => Thing(id));
    });
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("only runs its deferred functions when it is finalized without force", async () => {
    const { world, stage, run } = await setUp();
    const order: string[] = [];
    await stage.up(async (root) => {
      void root.defer(() => void order.push("root"));
      await run("s", async (scope) => {
        void scope.defer(() => void order.push("s"));
        await scope.finalize();
      });
      expect([order, world.names]).toEqual([["s"], ["old#1"]]);
    });
    expect([order, world.names]).toEqual([["s", "root"], []]);
  });

  test("is pruned by itself when it is finalized with force, and nothing beside it is", async () => {
    const { world, Thing, stage, run } = newWorld();
    const both = (name: string, id: string) => run(name, () => Thing(id));
    await stage.up(() => Promise.all([both("s", "a"), both("t", "b"), run("s", () => both("deep", "c"))]));
    await stage.up(() => run("s", (scope) => scope.finalize({ force: true })), { noop: true });
    expect(world.names).toEqual(["b#2"]);
  });

  test("that failed is not pruned, and rejects with its own failures", async () => {
    const { world, Thing, failed, run } = await setUp();
    const failures = await failed("create a", async () => {
      await Thing("fine");
      await run("s", async (scope) => {
        await Thing("a").catch(() => {});
        expect(await failuresOf(scope.finalize({ force: true }))).toMatchObject([{ fqn: "app/dev/s/a" }]);
      });
    });
    expect(world.names).toEqual(["fine#2", "old#1"]);
    expect(failures).toHaveLength(1);
  });

  test("whose function was rejected is not pruned by force", async () => {
    const { world, stage, run } = await setUp();
    const why = new Error("half-way");
    const failures = await stage.failures(async () => {
      await run("s", () => Promise.reject(why)).catch(() => {});
      await run("s", async (scope) => expect(await failuresOf(scope.finalize({ force: true }))).toEqual([why]));
    });
    expect([failures, world.names]).toEqual([[why], ["old#1"]]);
  });

  test("that waited for another scope's failure is not pruned by force", async () => {
    const { world, Thing, failed, run } = await setUp();
    const failures = await failed("create dep", async () => {
      const dep = Thing("dep");
      await run("s", async (scope) => {
        await Thing("a", { uses: dep }).catch(() => {});
        const refused = { name: "RunFailedError", fqn: "app/dev/s" };
        await expect(scope.finalize({ force: true })).rejects.toMatchObject(refused);
      });
    });
    expect(world.names).toEqual(["old#1"]);
    expect(failures).toHaveLength(1);
  });
});
