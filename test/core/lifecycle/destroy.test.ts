import { describe, expect, test } from "vitest";
import { newWorld } from "../../helpers/apps/new-world.js";
import { keysOf, recordOf, recordsOf } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

describe("engine.destroy", () => {
  test.each<[string, boolean]>([
    ["a resource by its output", false],
    ["a resource by itself, awaited or not", true],
  ])("deletes %s, children first, and nothing beside it", async (_, bySelf) => {
    const { world, Thing, stage, destroy } = newWorld();
    world.on("create a", async () => void (await Thing("child")));
    const app = await stage.open();
    await app.run(async () => {
      await Thing("b");
      const pending = Thing("a");
      await destroy(bySelf ? pending : await pending);
    });
    expect(world.calls).toEqual(["create b", "create a", "create child", "delete child", "delete a"]);
    expect(keysOf(app)).toEqual(["b"]);
    expect([...app.resources.keys()]).toEqual(["b"]);
    expect(app.children.get("a")?.resources.size).toBe(0);
    await app.finalize();
  });

  test.each(["finalize", "throws"])("is over before the run ends if it is not awaited (%s)", async (end) => {
    const { world, Thing, stage, destroy } = newWorld();
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
    const { world, Thing, stage, destroy, run } = newWorld();
    await stage.up(async () => {
      await Thing("kept");
      await run("s", async (scope) => {
        await scope.set("key", 1);
        await Thing("a");
        await run("t", () => Thing("b"));
        await destroy(scope);
        expect(await scope.get("key")).toBeUndefined();
      });
    });
    expect(world.names).toEqual(["kept#1"]);
    expect(world.calls.slice(3)).toEqual(["delete b", "delete a"]);
  });

  test("of a scope waits for what is being made there", async () => {
    const { world, Thing, stage, destroy, run } = newWorld();
    const slow = gate();
    world.on("create a", () => slow.opened);
    const running = stage.up(() =>
      run("s", (scope) => {
        void Thing("a");
        return destroy(scope);
      }),
    );
    await quiet();
    slow.open();
    expect(recordsOf(await running)).toEqual([]);
    expect(world.calls).toEqual(["create a", "delete a"]);
  });

  test("without a target deletes the current scope, also what it has not declared in this run", async () => {
    const { world, Thing, stage, destroy, run } = newWorld();
    await stage.up(() => run("s", () => Thing("a")));
    await stage.up(async () => {
      await Thing("b");
      await run("s", () => destroy());
      expect(world.names).toEqual(["b#2"]);
    });
    expect(stage.summary).toEqual({ created: 1, deleted: 1 });
  });

  test("deletes the old copies of a resource with it, and their children", async () => {
    const { world, Thing, stage, destroy } = newWorld({ replaceOn: ["name"] });
    world.on("create a", async () => void (await Thing("child")));
    await stage.up(() => Thing("a", { name: "x" }));
    const app = await stage.up(async () => {
      await destroy(await Thing("a", { name: "y" }));
      expect(world.names).toEqual([]);
    });
    expect(recordsOf(app)).toEqual([]);
  });

  test("lets the id be declared again", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    const app = await stage.up(async () => {
      await destroy(await Thing("a", { value: 1 }));
      await Thing("a", { value: 2 });
    });
    expect(world.names).toEqual(["a#2"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: 2 } });
  });

  test("called twice at once deletes once", async () => {
    const { world, Thing, stage, destroy } = newWorld();
    await stage.up(async () => {
      const a = await Thing("a");
      await Promise.all([destroy(a), destroy(a)]);
      await destroy(a);
    });
    expect(world.calls).toEqual(["create a", "delete a"]);
    expect(stage.summary).toEqual({ created: 1, deleted: 1 });
  });

  test("of a resource that failed deletes what its type can tell of", async () => {
    const { Thing, stage, failed, destroy } = newWorld({ read: true });
    await failed("create a", async () => {
      const a = Thing("a");
      await a.catch(() => {});
      await destroy(a);
    });
    expect(stage.keys).toEqual([]);
  });

  test("that fails rejects, and fails the run although the program caught it", async () => {
    const { Thing, failed, destroy } = newWorld();
    const errors = await failed("delete a", async () => {
      const a = await Thing("a");
      await expect(destroy(a)).rejects.toMatchObject({ code: "HANDLER_FAILED", fqn: "app/dev/a" });
    });
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }]);
  });

  test("that cannot tell whether there is anything to delete rejects, and fails the run", async () => {
    const { Thing, failed, destroy } = newWorld();
    const errors = await failed("create a", async () => {
      const a = Thing("a");
      await a.catch(() => {});
      await expect(destroy(a)).rejects.toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    });
    const advice = expect.stringContaining(
      "Or look for the real resource yourself, delete it if it exists, and remove the record with",
    );
    expect(errors).toMatchObject([{ fqn: "app/dev/a" }, { code: "UNRESOLVED", message: advice }]);
  });

  test.each([
    [undefined, "engine.destroy() was called with undefined"],
    [null, "engine.destroy() was called with null"],
    ["a", ""],
    [Object("a"), ""],
    [3, ""],
    [{}, ""],
  ])("of %j by mistake deletes nothing, and names the line that says so", async (slip, why) => {
    const { world, Thing, stage, destroy } = newWorld();
    await stage.up(async () => {
      await Thing("a");
      const line = new Error("here").stack?.match(/destroy\.test\.ts:\d+/)?.[0] ?? "no line";
      const next = line.replace(/\d+$/, (number) => String(Number(number) + 2));
      const refused: unknown = await Reflect.apply(destroy, undefined, [slip]).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: "INVALID_CALL", message: expect.stringContaining(next) });
      expect(String(refused)).toContain(why);
    });
    expect(world.names).toEqual(["a#1"]);
  });

  test("is refused in the read phase", async () => {
    const { world, Thing, stage, destroy } = newWorld();
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
