import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { failuresOf, recordsOf } from "../../helpers/apps/stage.js";
import { undefine } from "../../helpers/apps/undefine.js";

const destroying = { phase: "destroy" } as const;

describe("the phase destroy", () => {
  test("deletes the whole stage inside engine(), latest first, and leaves an empty state", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(async (app) => {
      await app.set("key", "value");
      await Thing("a");
      await stage.engine.run("s", async (scope) => {
        await scope.set("key", "value");
        await Thing("b");
      });
      await Thing("c");
    });
    world.news();
    const app = await stage.open(destroying);
    expect(world.calls).toEqual(["delete c", "delete b", "delete a"]);
    expect(stage.summary).toEqual({ deleted: 3 });
    expect(recordsOf(app)).toEqual([]);
    expect(await app.get("key")).toBeUndefined();
    await app.finalize();
    expect(stage.heard("run:finished")).toHaveLength(1);
  });

  test("gives declarations the outputs that were recorded, and has no effect", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    const app = await stage.open(destroying);
    expect(await app.run(() => Thing("a", { value: 2 }))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    expect(world.calls).toEqual(["delete a"]);
  });

  test("gives declarations that are not recorded unknown values, which can be passed on and not computed with", async () => {
    const { world, Thing, stage } = newWorld();
    const app = await stage.open(destroying);
    await app.run(async () => {
      const unknown = await Thing("new");
      expect(`${unknown.thing}/x`).toMatch(/^[a-z0-9]+\/x$/);
      expect(JSON.stringify({ unknown })).toMatch(/^\{"unknown":"[a-z0-9]+"\}$/);
      expect({ ...unknown }).toBeTypeOf("object");
      await Thing("dependent", { uses: unknown, value: unknown.value });
      expect(() => Number(unknown.value) + 1).toThrow(expect.objectContaining({ code: "UNKNOWN_VALUE" }));
      expect(() => "x" in unknown).toThrow("app/dev/new");
    });
    await app.finalize();
    expect(world.calls).toEqual([]);
  });

  test("runs deferred functions at finalize", async () => {
    const { stage } = newWorld();
    const app = await stage.open(destroying);
    const result = app.defer(() => "done");
    await app.finalize();
    expect(await result).toBe("done");
  });

  test("does nothing where nothing is recorded", async () => {
    const { stage } = newWorld();
    await stage.destroy();
    expect(stage.summary).toEqual({});
    expect(stage.heard("state:locked")).toEqual([]);
  });

  test("that fails rejects engine(), keeps what is left, and goes on there the next time", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(async () => {
      await Thing("a");
      await Promise.all([Thing("b"), Thing("c")]);
    });
    world.fails("delete b");
    expect(await failuresOf(stage.open(destroying))).toMatchObject([{ fqn: "app/dev/b" }]);
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false, summary: { deleted: 1, failed: 1, retained: 1 } }]);
    expect(stage.heard("resource:retained")).toMatchObject([{ id: "a", reason: '"app/dev/b" still exists' }]);
    expect(world.names).toEqual(["a#1", "b#2"]);
    world.calm();
    expect(recordsOf(await stage.destroy())).toEqual([]);
  });
});

describe("a destroy of a kind that is not defined yet", () => {
  test("waits for finalize as a whole", async () => {
    const { world, Thing, stage } = newWorld();
    const Other = world.type();
    await stage.up(() => Promise.all([Thing("a"), Other("b")]));
    world.news();
    const other = undefine(Other);
    const app = await stage.open(destroying);
    expect(world.calls).toEqual([]);
    other.define();
    expect(await app.run(() => Thing("a"))).toMatchObject({ thing: "a#1" });
    await app.finalize();
    expect(world.calls.toSorted()).toEqual(["delete a", "delete b"]);
    expect(stage.heard("run:finished")).toHaveLength(1);
  });

  test("fails with its name where it is still not defined then, and deletes the others", async () => {
    const { world, Thing, stage } = newWorld();
    const Other = world.type();
    await stage.up(() => Promise.all([Thing("a"), Other("b")]));
    const other = undefine(Other);
    expect(await failuresOf(stage.destroy())).toMatchObject([
      { code: "KIND_UNKNOWN", fqn: "app/dev/b", message: expect.stringContaining(Other.kind) },
    ]);
    expect(world.names).toEqual(["b#2"]);
    other.define();
    await (await stage.open(destroying)).finalize();
    expect(world.names).toEqual([]);
  });

  test.each(["hand over the definition", "just import the module that defines it"])(
    "asks plugins, which may %s",
    async (how) => {
      const { world, Thing, stage } = newWorld();
      await stage.up(() => Thing("a"));
      const definition = undefine(Thing).define();
      const module = undefine(Thing);
      const supply = definePlugin({
        name: "supply",
        apply({ hooks }) {
          hooks.resolveKind.tapPromise("supply", async ({ kind, fqn }) => {
            if (how.startsWith("just")) module.define();
            else if (kind === Thing.kind && fqn === "app/dev/a") return definition;
            return undefined;
          });
        },
      });
      const app = await stage.open({ ...destroying, plugins: [supply] });
      expect(world.names).toEqual([]);
      await app.finalize();
    },
  );

  test("does not hold up an up whose program still declares nothing of it", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up(() => Thing("a"));
    const thing = undefine(Thing);
    expect(await stage.failures(() => {})).toMatchObject([{ code: "KIND_UNKNOWN", fqn: "app/dev/a" }]);
    thing.define();
    await stage.up();
    expect(world.names).toEqual([]);
  });
});
