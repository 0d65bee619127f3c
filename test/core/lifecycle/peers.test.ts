/** Faults that a close peer has, each as a test that it is none of ours. */
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";
import { observed } from "../../helpers/stores/observed-store.js";
import { gate, quiet } from "../../helpers/time/gate.js";

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

const ids = ["a", "b", "c", "d"];

describe("no more", () => {
  test.each(["sequential", "parallel"] as const)(
    "does a failed destroy end as if it were done (%s)",
    async (destroyStrategy) => {
      const { world, Thing, stage } = setUp();
      await stage.up(() => Promise.all(ids.map((id) => Thing(id))));
      const slow = gate();
      world.fails("delete a");
      world.on("delete b", () => slow.opened);
      const destroyed = stage.open({ phase: "destroy", quiet: true, destroyStrategy });
      await quiet();
      slow.open();
      await expect(destroyed).rejects.toMatchObject({ name: "RunFailedError", errors: [{ fqn: "app/dev/a" }] });
      expect(stage.heard("resource:failed")).toHaveLength(1);
      expect(world.names).toEqual(["a#1"]);
    },
  );

  test("do replacements at once lose old copies, nor failed ones delete twice or leak the new one", async () => {
    const { world, Thing, stage } = setUp({ replaceOn: ["name"], read: true });
    await stage.up(() => Promise.all(ids.map((id) => Thing(id, { name: "x" }))));
    world.fails("create b");
    world.fails("delete c");
    await stage.failures(() => Promise.allSettled(ids.map((id) => Thing(id, { name: "y" }))));
    world.calm("create b");
    await stage.failures(() => Promise.all(ids.map((id) => Thing(id, { name: "y" }))));
    expect(world.calls.filter((call) => call.startsWith("delete")).sort()).toEqual(ids.map((id) => `delete ${id}`));
    world.calm();
    world.news();
    const app = await stage.up(() => Promise.all(ids.map((id) => Thing(id, { name: "y" }))));
    expect(world.calls).toEqual(["delete c"]);
    expect(
      recordsOf(app)
        .map(({ uid }) => uid)
        .sort(),
    ).toEqual([...world.things.values()].map(({ uid }) => uid).sort());
    expect(world.things.size).toBe(ids.length);
  });

  test("is a changed kind under one id skipped with the other kind's output", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    await stage.up(() => Thing("a", { value: 1 }));
    const app = await stage.up(async () => expect(await Other("a", { value: 1 })).toEqual({ thing: "a#2", value: 1 }));
    expect(recordOf(app, "a")?.kind).toBe(Other.kind);
    expect(world.names).toEqual(["a#2"]);
  });

  test("does `await using` prune what an exception kept from being declared", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Promise.all(ids.map((id) => Thing(id))));
    const program = async () => {
      await using app = await stage.open();
      await app.run(async () => {
        await Thing("a");
        throw new Error("half-way");
      });
    };
    await expect(program()).rejects.toThrow("half-way");
    expect(world.things.size).toBe(ids.length);
    // That the run has failed says why it ends without finalize().
    expect(stage.heard("warning")).toEqual([]);
  });

  test("does a nested scope prune before the rest of the program has succeeded", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Promise.all([Thing("a"), Thing("b")])));
    await stage.failures(async () => {
      await stage.engine.run("s", () => Thing("a"));
      expect(world.things.size).toBe(2);
      throw new Error("later");
    });
    expect(world.things.size).toBe(2);
  });

  test("does a second run of a scope prune the first one's resources", async () => {
    const { world, Thing, stage } = setUp();
    const program = async () => {
      await stage.engine.run("s", () => Thing("a"));
      await stage.engine.run("s", () => Thing("b"));
    };
    await stage.up(program);
    await stage.up(program);
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test.each([true, false])(
    "does replace() before the children are declared delete them and throw (%s)",
    async (short) => {
      const { world, Thing, stage } = setUp({ short });
      world.on("create a", async () => void (await Thing("child")));
      await stage.up(() => Thing("a", { value: 1 }));
      world.on("update a", (context) => context.replace());
      const app = await stage.open();
      await app.run(() => Thing("a", { value: 2 }));
      expect(world.calls.filter((call) => call.startsWith("delete"))).toEqual([]);
      await app.finalize();
      expect([...world.things.values()].map(({ fqn }) => fqn).sort()).toEqual(["app/dev/a", "app/dev/a/child"]);
      expect(recordsOf(app)).toHaveLength(2);
    },
  );

  test("do two engines at once both create", async () => {
    const { world, Thing } = setUp();
    const stateStore = memoryStore();
    const [one, two] = [new Stage({ stateStore }), new Stage({ stateStore })];
    const [first, second] = await Promise.all([one.open(), two.open()]);
    const slow = gate();
    world.on("create a", () => slow.opened);
    const running = first.run(() => Thing("a"));
    await quiet();
    await expect(second.run(() => Thing("a"))).rejects.toMatchObject({ code: "STATE_LOCKED" });
    await expect(second.finalize()).rejects.toMatchObject({ name: "RunFailedError" });
    await expect(two.open()).rejects.toMatchObject({ code: "STATE_LOCKED" });
    slow.open();
    await running;
    await first.finalize();
    expect(world.calls).toEqual(["create a"]);
  });

  test("do two calls with one id both create", async () => {
    const { world, Thing, stage } = setUp();
    const errors = await stage.failures(() => Promise.all([Thing("a"), Thing("a")]));
    expect(errors).toMatchObject([{ code: "DUPLICATE_ID", fqn: "app/dev/a" }]);
    expect(world.calls).toEqual(["create a"]);
  });

  test("are the last good props gone after two failed updates", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    world.fails("update a");
    for (const value of [2, 3]) await stage.failures(() => Thing("a", { value }));
    const seen: unknown[] = [];
    world.on("delete a", ({ props, output }) => void seen.push(props, output));
    await stage.up();
    expect(seen).toEqual([{ value: 1 }, { thing: "a#1", value: 1 }]);
  });

  test("does a delete get an empty output after a crash in create", async () => {
    const { world, Thing, stage } = setUp({ read: true });
    world.after("create a", () => {
      throw new Error("crash");
    });
    await stage.failures(() => Thing("a", { value: 1 }));
    const seen: unknown[] = [];
    world.on("delete a", ({ output }) => void seen.push(output));
    await stage.up();
    expect(seen).toEqual([{ thing: "a#1", value: 1 }]);
  });

  test("does a read write state, leave deferred functions waiting, or run them twice", async () => {
    const { world, Thing } = setUp();
    const { store, requests } = observed(memoryStore());
    const stage = new Stage({ stateStore: store });
    const runs: string[] = [];
    const program = async () => {
      await stage.engine.run("s", async (scope) => {
        scope.defer(() => void runs.push("s"));
        await stage.engine.run("t", (inner) => void inner.defer(() => void runs.push("t")));
        await Thing("a");
      });
    };
    await stage.up(program);
    world.news();
    runs.splice(0);
    requests.clear();
    await stage.up(program, { phase: "read" });
    expect([runs.sort(), requests.writes, world.calls]).toEqual([["s", "t"], 0, []]);
  });

  test("are deletes in a wrong order after code has moved around skipped resources", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(async () => {
      await Thing("user", { value: 1 });
      await Thing("base");
    });
    await stage.up(async () => {
      const base = await Thing("base");
      await Thing("user", { value: base.thing });
    });
    await stage.up(async () => {
      const base = await Thing("base");
      await Thing("user", { value: base.thing });
    });
    world.news();
    await (await stage.open({ phase: "destroy" })).finalize();
    expect(world.calls).toEqual(["delete user", "delete base"]);
  });
});
