import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

describe("finalize", () => {
  test("waits for what was declared and not awaited, at any depth", async () => {
    const { world, Thing, stage } = newWorld();
    const late = gate();
    world.on("create b", () => late.opened);
    world.on("create a", () => void Thing("b"));
    const finalized = stage.up(() => void Thing("a"));
    await quiet();
    expect(world.calls).toEqual(["create a", "create b"]);
    late.open();
    await finalized;
    expect(stage.record("a/b")).toMatchObject({ status: "ready" });
  });

  test("waits for declarations that follow after another resource was awaited", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => {
      void Thing("a").then(async () => {
        await Thing("b");
        await Thing("c");
      });
    });
    expect(world.calls).toEqual(["create a", "create b", "create c"]);
  });

  test("prunes orphans at any depth, in scopes that the program no longer enters too", async () => {
    const { world, Thing, stage } = newWorld();
    world.on("create parent", async () => void (await Thing("child")));
    await stage.up(async () => {
      await Thing("top");
      await stage.engine.run("s", () => stage.engine.run("t", () => Thing("deep")));
      await stage.engine.run("u", () => Thing("parent"));
    });
    world.news();
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.calls).toEqual(["delete child", "delete parent", "delete deep", "delete top"]);
  });

  test("leaves other stages and other apps of the same store alone", async () => {
    const { world, Thing } = newWorld();
    const stateStore = memoryStore();
    const dev = new Stage({ stateStore });
    const prod = new Stage({ stateStore, stage: "prod" });
    await dev.up(() => Thing("a"));
    await prod.up(() => Thing("b"));
    await dev.up();
    expect(world.calls).toEqual(["create a", "create b", "delete a"]);
    expect(recordsOf(await prod.up(() => Thing("b")))).toHaveLength(1);
  });

  test("with noop deletes nothing and keeps the records", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a"));
    await stage.up(() => {}, { noop: true });
    expect(stage.record("a")).toMatchObject({ status: "ready" });
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a"]);
  });

  test("called twice finalizes once, and rejects each time where the run failed", async () => {
    const { world, Thing, stage, failed } = newWorld();
    const app = await stage.up(() => Thing("a"));
    await app.finalize();
    expect(world.calls).toEqual(["create a"]);
    expect(stage.heard("run:finished")).toHaveLength(1);
    await failed("create b", () => Thing("b"));
    await expect(stage.app.finalize()).rejects.toMatchObject({ name: "RunFailedError" });
  });
});

describe("destroyOrphans: false", () => {
  test("prunes nothing and says what it left", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    await stage.up(() => Thing("b"), { destroyOrphans: false });
    expect([world.names, stage.keys]).toEqual([
      ["a#1", "b#2"],
      ["a", "b"],
    ]);
    expect(stage.heard("resource:retained")).toMatchObject([{ id: "a", reason: "destroyOrphans is false" }]);
    expect(stage.summary).toEqual({ unchanged: 1, retained: 1 });
    await stage.up(() => Thing("b"));
    expect(world.names).toEqual(["b#2"]);
  });

  test("of one scope spares that scope's", async () => {
    const { world, Thing, stage } = newWorld();
    for (const id of ["a", "b"]) {
      const kept = () => stage.engine.run("kept", { destroyOrphans: false }, () => Thing(id));
      await stage.up(() => Promise.all([kept(), stage.engine.run("pruned", () => Thing(id))]));
    }
    expect(stage.keys).toEqual(["kept/a", "kept/b", "pruned/b"]);
    expect(world.things.size).toBe(3);
  });

  test("spares the orphans of a scope that is entered after its records were read", async () => {
    const { Thing, stage } = newWorld();
    const outer = (fn: () => unknown) => stage.engine.run("outer", async () => void (await fn()));
    await stage.up(() => outer(() => stage.engine.run("inner", () => Thing("a"))));
    await stage.up(() => outer(() => stage.engine.run("inner", { destroyOrphans: false }, () => {})), {
      refresh: true,
    });
    expect(stage.keys).toEqual(["outer/inner/a"]);
    // Both scopes have the options of their parent again.
    await stage.up(() => outer(() => {}), { refresh: true });
    expect(stage.keys).toEqual([]);
  });

  test("does not keep old copies, which are no orphans", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    await stage.up(() => Thing("a", { name: "y" }), { destroyOrphans: false });
    expect(world.names).toEqual(["a#2"]);
  });
});

/** A stage with "old" in the scope "s". */
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
