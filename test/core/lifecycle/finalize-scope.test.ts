import { describe, expect, test } from "vitest";
import { failuresOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

describe("a scope that is not the root", () => {
  test("prunes nothing by itself when its function ends, nor when it is entered again", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Promise.all([Thing("a"), Thing("b")])));
    const app = await stage.open();
    await app.run(async () => {
      await stage.engine.run("s", () => Thing("a"));
      await stage.engine.run("s", () => Thing("b"));
    });
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("only runs its deferred functions when it is finalized without force", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("a")));
    const order: string[] = [];
    const app = await stage.open();
    await app.run(async (root) => {
      root.defer(() => void order.push("root"));
      await stage.engine.run("s", async (scope) => {
        scope.defer(() => void order.push("s"));
        await scope.finalize();
      });
    });
    expect(order).toEqual(["s"]);
    expect(world.names).toEqual(["a#1"]);
    await app.finalize();
    expect(order).toEqual(["s", "root"]);
    expect(world.names).toEqual([]);
  });

  test("is pruned by itself when it is finalized with force, and nothing beside it is", async () => {
    const { world, Thing, stage } = setUp();
    const both = (name: string, id: string) => stage.engine.run(name, () => Thing(id));
    await stage.up(() => Promise.all([both("s", "a"), both("t", "b"), stage.engine.run("s", () => both("deep", "c"))]));
    const app = await stage.open();
    await app.run(() => stage.engine.run("s", (scope) => scope.finalize({ force: true })));
    expect(world.names).toEqual(["b#2"]);
    await app.finalize({ noop: true });
  });

  test("that failed is not pruned, and rejects with its own failures", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("old")));
    world.fails("create a");
    const app = await stage.open();
    await app.run(async () => {
      await Thing("fine");
      await stage.engine.run("s", async (scope) => {
        await Thing("a").catch(() => {});
        expect(await failuresOf(scope.finalize({ force: true }))).toMatchObject([{ fqn: "app/dev/s/a" }]);
      });
    });
    expect(world.names).toEqual(["fine#2", "old#1"]);
    expect(await failuresOf(app.finalize())).toHaveLength(1);
  });

  test("whose function was rejected is not pruned by force", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("old")));
    const app = await stage.open();
    await app.run(async () => {
      const why = new Error("half-way");
      await stage.engine.run("s", () => Promise.reject(why)).catch(() => {});
      await stage.engine.run("s", async (scope) => {
        expect(await failuresOf(scope.finalize({ force: true }))).toEqual([why]);
      });
    });
    expect(world.names).toEqual(["old#1"]);
    await expect(app.finalize()).rejects.toThrow();
  });

  test("that waited for another scope's failure is not pruned by force", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("old")));
    world.fails("create dep");
    const app = await stage.open();
    await app.run(async () => {
      const dep = Thing("dep");
      await stage.engine.run("s", async (scope) => {
        await Thing("a", { uses: dep }).catch(() => {});
        await expect(scope.finalize({ force: true })).rejects.toMatchObject({
          name: "RunFailedError",
          fqn: "app/dev/s",
        });
      });
    });
    expect(world.names).toEqual(["old#1"]);
    expect(await failuresOf(app.finalize())).toHaveLength(1);
  });
});
