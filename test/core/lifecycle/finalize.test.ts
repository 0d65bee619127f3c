import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf, Stage } from "../../helpers/apps/stage.js";
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

  test("waits for what is declared by whoever waited for another resource", async () => {
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
    expect(stage.summary).toEqual({ skipped: 1, retained: 1 });
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

  test("does not keep old copies, which are no orphans", async () => {
    const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
    await stage.up(() => Thing("a", { name: "x" }));
    await stage.up(() => Thing("a", { name: "y" }), { destroyOrphans: false });
    expect(world.names).toEqual(["a#2"]);
  });
});
