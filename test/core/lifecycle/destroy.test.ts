import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { failuresOf, recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { newKind, type TypeOptions, World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  const stage = new Stage();
  return { world, Thing: world.type(options), stage, destroy: stage.engine.destroy };
}

describe("engine.destroy", () => {
  test.each<[string, boolean]>([
    ["a resource by its output", false],
    ["a resource by itself, awaited or not", true],
  ])("deletes %s, children first, and nothing beside it", async (_, bySelf) => {
    const { world, Thing, stage, destroy } = setUp();
    world.on("create a", async () => void (await Thing("child")));
    const app = await stage.open();
    await app.run(async () => {
      await Thing("b");
      const pending = Thing("a");
      await destroy(bySelf ? pending : await pending);
    });
    expect(world.calls).toEqual(["create b", "create a", "create child", "delete child", "delete a"]);
    expect(recordsOf(app).map(({ key }) => key)).toEqual(["b"]);
    expect([...app.resources.keys()]).toEqual(["b"]);
    expect(app.children.get("a")?.resources.size).toBe(0);
    await app.finalize();
  });

  test.each(["finalize", "throws"])("is over before the run ends that nobody awaits (%s)", async (end) => {
    const { world, Thing, stage, destroy } = setUp();
    const held = gate();
    world.on("delete a", () => held.opened);
    const running = stage.upInOne(async () => {
      void destroy(await Thing("a")).catch(() => {});
      if (end === "throws") throw new Error("meanwhile");
    });
    running.catch(() => {});
    await quiet();
    expect(stage.heard("run:finished")).toEqual([]);
    held.open();
    await running.catch(() => {});
    expect(world.names).toEqual([]);
    expect(stage.told).toEqual(["started a", "created a", "started a", "deleted a"]);
    expect(stage.heard("warning")).toEqual([]);
    expect(stage.heard("run:finished")).toMatchObject([{ summary: { created: 1, deleted: 1 } }]);
  });

  test("deletes a scope with everything below it, and its data", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const app = await stage.open();
    await app.run(async () => {
      await Thing("kept");
      await stage.engine.run("s", async (scope) => {
        await scope.set("key", 1);
        await Thing("a");
        await stage.engine.run("t", () => Thing("b"));
        await destroy(scope);
        expect(await scope.get("key")).toBeUndefined();
      });
    });
    expect(world.names).toEqual(["kept#1"]);
    expect(world.calls.slice(3)).toEqual(["delete b", "delete a"]);
    await app.finalize();
  });

  test("of a scope waits for what is being made there", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const slow = gate();
    world.on("create a", () => slow.opened);
    const app = await stage.open();
    const running = app.run(() =>
      stage.engine.run("s", (scope) => {
        void Thing("a");
        return destroy(scope);
      }),
    );
    await quiet();
    slow.open();
    await running;
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(recordsOf(app)).toEqual([]);
    await app.finalize();
  });

  test("without a target deletes the current scope", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      await Thing("a");
      await stage.engine.run("s", async () => {
        await Thing("b");
        await destroy();
      });
    });
    expect(world.names).toEqual(["a#1"]);
  });

  test("deletes what a scope has recorded and not declared in this run", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("a")));
    const app = await stage.open();
    await app.run(() => stage.engine.run("s", () => destroy()));
    expect(world.names).toEqual([]);
    await app.finalize();
    expect(stage.summary).toEqual({ deleted: 1 });
  });

  test("deletes the old copies of a resource with it, and their children", async () => {
    const { world, Thing, stage, destroy } = setUp({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("child")));
    await stage.up(() => Thing("a", { name: "x" }));
    const app = await stage.open();
    await app.run(async () => destroy(await Thing("a", { name: "y" })));
    expect(world.names).toEqual([]);
    expect(recordsOf(app)).toEqual([]);
    await app.finalize();
  });

  test("deletes children that nobody awaited with their parent", async () => {
    const { world, Thing, stage, destroy } = setUp();
    world.on("create a", () => void Thing("child"));
    const app = await stage.open();
    await app.run(() => destroy(Thing("a")));
    expect(world.calls).toEqual(["create a", "create child", "delete child", "delete a"]);
    expect(recordsOf(app)).toEqual([]);
    await app.finalize();
  });

  test("lets the id be declared again", async () => {
    const { world, Thing, stage, destroy } = setUp();
    const app = await stage.up(async () => {
      await destroy(await Thing("a", { value: 1 }));
      await Thing("a", { value: 2 });
    });
    expect(world.names).toEqual(["a#2"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 2 } });
  });

  test("called twice at once deletes once", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(async () => {
      const a = await Thing("a");
      await Promise.all([destroy(a), destroy(a)]);
      await destroy(a);
    });
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(stage.summary).toEqual({ created: 1, deleted: 1 });
  });

  test("of a resource that failed deletes what its type can tell of", async () => {
    const { world, Thing, stage, destroy } = setUp({ read: true });
    world.fails("create a");
    const app = await stage.open();
    await app.run(async () => {
      const a = Thing("a");
      await a.catch(() => {});
      await destroy(a);
    });
    expect(recordsOf(app)).toEqual([]);
    await expect(app.finalize()).rejects.toThrow();
  });

  test("that fails rejects, and fails the run although the program caught it", async () => {
    const { world, Thing, stage, destroy } = setUp();
    world.fails("delete a");
    const errors = await stage.failures(async () => {
      const a = await Thing("a");
      await expect(destroy(a)).rejects.toMatchObject({ code: "HANDLER_FAILED", fqn: "app/dev/a" });
    });
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }]);
  });

  test("that cannot tell whether there is anything to delete rejects, and fails the run", async () => {
    const { world, Thing, stage, destroy } = setUp();
    world.fails("create a");
    const app = await stage.open();
    await app.run(async () => {
      const a = Thing("a");
      await a.catch(() => {});
      await expect(destroy(a)).rejects.toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    });
    const advice = expect.stringContaining("Declare it again and let it finish, or look yourself and forget it");
    expect(await failuresOf(app.finalize())).toMatchObject([
      { fqn: "app/dev/a" },
      { code: "UNRESOLVED", message: advice },
    ]);
  });

  test.each([[undefined], [null]])("of an explicit %s is refused, and deletes nothing", async (nothing) => {
    const { world, Thing, stage, destroy } = setUp();
    const app = await stage.open();
    await app.run(async () => {
      await Thing("a");
      const message = expect.stringContaining(`engine.destroy() was given ${nothing}`);
      await expect(Reflect.apply(destroy, undefined, [nothing])).rejects.toMatchObject({
        code: "INVALID_CALL",
        message,
      });
    });
    expect(world.names).toEqual(["a#1"]);
    await app.finalize();
  });

  test("of something that is no resource is refused with the reason", async () => {
    const { stage, destroy } = setUp();
    const Name = Resource<string, object>(newKind(), { create: ({ id }) => id });
    const app = await stage.open();
    await app.run(async () => {
      const name: unknown = await Name("a");
      await expect(destroy(Object(name))).rejects.toMatchObject({ code: "INVALID_CALL" });
      await expect(destroy({})).rejects.toMatchObject({ code: "INVALID_CALL" });
    });
    await app.finalize();
  });

  test("is refused in the read phase", async () => {
    const { world, Thing, stage, destroy } = setUp();
    await stage.up(() => Thing("a"));
    const app = await stage.open({ phase: "read" });
    await app.run(async () => {
      const a = await Thing("a");
      await expect(destroy(a)).rejects.toMatchObject({ code: "READ_ONLY" });
      await expect(destroy()).rejects.toMatchObject({ code: "READ_ONLY" });
    });
    await app.finalize().catch(() => {});
    expect(world.names).toEqual(["a#1"]);
  });
});

describe("a delete handler", () => {
  test("cannot ask to be replaced", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    world.on("delete a", ({ replace }) => replace());
    expect(await stage.failures(() => {})).toMatchObject([{ code: "INVALID_CALL", fqn: "app/dev/a" }]);
  });
});
