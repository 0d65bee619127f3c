import { describe, expect, test } from "vitest";
import { recordOf, recordsOf } from "../../helpers/apps/stage.js";
import { type Tap, tappedWorld } from "./tapped.js";

const setUp = (tap: Tap) => tappedWorld([tap]);

describe("a plugin", () => {
  test("changes props before they are compared", async () => {
    let tag = "x";
    const { world, Thing, stage } = setUp(({ props }) =>
      props.tap("p0", (context) => {
        context.props = { ...Object(context.props), uses: tag };
      }),
    );
    await stage.up(() => Thing("a"));
    await stage.up(() => Thing("a"));
    tag = "y";
    await stage.up(() => Thing("a"));
    expect(world.calls).toEqual(["create a", "update a"]);
    expect(stage.record("a")?.props).toEqual({ uses: "y" });
  });

  test("vetoes a create, an update and a replace, and no intent is left behind", async () => {
    let vetoes = false;
    const { world, Thing, stage } = setUp(({ beforeApply }) => {
      beforeApply.tap("p0", () => {
        if (vetoes) throw new Error("not on a Friday");
      });
    });
    await stage.up(() => Thing("a"));
    vetoes = true;
    for (const [id, props] of [
      ["b", {}],
      ["a", { value: 2 }],
      ["a", { name: "y" }],
    ] as const) {
      const before = recordsOf(stage.app);
      const message = 'Plugin "p0" failed in hook "beforeApply": not on a Friday';
      const failures = await stage.failures(() => Thing(id, props));
      expect(failures).toMatchObject([{ code: "PLUGIN_FAILED", fqn: `app/dev/${id}`, message }]);
      expect(recordsOf(stage.app)).toEqual(before);
      expect(stage.told).toEqual([`failed ${id}`]);
      expect(stage.heard("state:locked")).toEqual([]);
    }
    expect(world.calls).toEqual(["create a"]);
  });

  test.each([false, true])(
    "vetoes a replacement that an update asked for (delete first: %s), and all is as before",
    async (first) => {
      const { world, Thing, stage } = setUp(({ beforeApply }) => {
        beforeApply.tap("p0", ({ action }) => {
          if (action === "replace") throw new Error("never");
        });
      });
      world.on("update a", (context) => context.replace(first));
      const before = recordsOf(await stage.up(() => Thing("a", { value: 1 })));
      await expect(stage.up(() => Thing("a", { value: 2 }))).rejects.toThrow("never");
      expect(recordsOf(stage.app)).toEqual(before);
      expect(stage.told).toEqual(["started a", "failed a"]);
      expect(world.names).toEqual(["a#1"]);
    },
  );

  test("vetoes a delete, and no intent is left behind", async () => {
    const { world, Thing, stage } = setUp(({ beforeDelete }) => {
      beforeDelete.tap("p0", ({ id }) => {
        if (id === "a") throw new Error("never");
      });
    });
    const before = recordOf(await stage.up(() => Promise.all([Thing("a"), Thing("b")])), "a");
    expect(await stage.failures(() => {})).toMatchObject([{ code: "PLUGIN_FAILED", fqn: "app/dev/a" }]);
    expect(recordsOf(stage.app)).toEqual([before]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("delays a handler", async () => {
    const order: string[] = [];
    const { world, Thing, stage } = setUp(({ beforeApply }) => {
      beforeApply.tapPromise("p0", async () => {
        await new Promise((resolve) => setImmediate(resolve));
        order.push("hook");
      });
    });
    world.on("create a", () => void order.push("handler"));
    await stage.up(() => Thing("a"));
    expect(order).toEqual(["hook", "handler"]);
  });

  test.each(["afterApply", "afterDelete", "applyFailed", "afterFinalize", "beforeFinalize"] as const)(
    "that fails in %s fails the run, and undoes nothing that has happened",
    async (hook) => {
      let fails = false;
      const { world, Thing, stage } = setUp((hooks) => {
        hooks[hook].tap("p0", () => {
          if (fails) throw new Error("no");
        });
      });
      await stage.up(() => Promise.all([Thing("gone"), Thing("also")]));
      fails = true;
      if (hook === "applyFailed") world.fails("create a", "first");
      const app = await stage.open();
      const output = await app.run(() => (hook === "afterDelete" ? undefined : Thing("a"))).catch(() => undefined);
      const error = await app.finalize().catch((reason: unknown) => reason);
      const message = `Plugin "p0" failed in hook "${hook}": no`;
      const errors: unknown[] = Reflect.get(Object(error), "errors");
      expect(errors.map((one) => Reflect.get(Object(one), "message"))).toContain(message);
      expect(recordOf(app, "a")?.error === undefined).toBe(hook !== "applyFailed");
      if (hook === "afterApply") expect(output).toMatchObject({ thing: "a#3" });
      if (hook === "afterDelete") expect([world.names, errors.length]).toEqual([[], 2]);
    },
  );

  test("keeps items of a prune, with their children and what they need, until another run", async () => {
    let keeps = true;
    const items: string[] = [];
    const { world, Thing, stage } = setUp(({ beforePrune }) => {
      beforePrune.tap("p0", (context) => {
        for (const item of context.items) {
          items.push(`${item.reason} ${item.fqn}`);
          if (keeps && item.id === "b") context.keep(item, "it is dear");
        }
      });
    });
    world.on("create b", async () => void (await Thing("child")));
    await stage.up(async () => {
      const base = await Thing("base");
      await Promise.all([Thing("b", { uses: base }), Thing("c")]);
    });
    await stage.up();
    expect(items.toSorted()).toEqual(["b", "b/child", "base", "c"].map((key) => `orphan app/dev/${key}`));
    expect(stage.keys).toEqual(["b", "b/child", "base"]);
    expect(stage.heard("resource:retained").find(({ id }) => id === "b")).toMatchObject({ reason: "it is dear" });
    keeps = false;
    expect(recordsOf(await stage.up())).toEqual([]);
  });

  test("keeps an interrupted create without asking what became of it", async () => {
    const keeping: Tap = ({ beforePrune }) =>
      beforePrune.tap("p0", ({ items, keep }) => {
        for (const item of items) keep(item, "later");
      });
    const { world, Thing, stage, failed } = tappedWorld([keeping], { read: true });
    await failed("create a", () => Thing("a"));
    await stage.up();
    expect(world.calls).toEqual([]);
    expect(stage.record("a")).toMatchObject({ status: "creating" });
  });

  test("refuses a prune as a whole", async () => {
    const { world, Thing, stage } = setUp(({ beforePrune }) => {
      beforePrune.tap("p0", ({ items }) => {
        if (items.length > 1) throw new Error("too many");
      });
    });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(await stage.failures(() => {})).toMatchObject([{ message: expect.stringContaining("too many") }]);
    expect(world.names).toEqual(["a#1", "b#2"]);
    await stage.up(() => Thing("a"));
    expect(world.names).toEqual(["a#1"]);
  });

  test("is not asked about a prune that has nothing to delete", async () => {
    const { Thing, stage } = setUp(({ beforePrune }) => {
      beforePrune.tap("p0", () => {
        throw new Error("asked");
      });
    });
    await stage.up(() => Thing("a"));
    await stage.up(() => {}, { destroyOrphans: false });
    await stage.up(() => Thing("a"));
  });
});
