import { describe, expect, test } from "vitest";
import { failuresOf, recordOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";
import { gate, quiet } from "../../helpers/time/gate.js";

function setUp() {
  const world = new World();
  return { world, Thing: world.type(), stage: new Stage() };
}

describe("finalize() does not wait for ever for a resource", () => {
  test("whose props hold a deferred value: it is applied when the function has run, and unchanged in the next run", async () => {
    const { world, Thing, stage } = setUp();
    const program = (value: string) =>
      stage.up((app) => {
        void Thing("a", { value: { deep: [app.defer(() => value)] } });
      });
    const app = await program("one");
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", props: { value: { deep: ["one"] } } });
    await program("one");
    expect(stage.summary).toEqual({ skipped: 1 });
    await program("two");
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test("whose props are made from a deferred value", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up((app) => {
      const later = app.defer(() => "one");
      const made = later
        .then((text) => text.toUpperCase())
        .catch(() => "none")
        .finally(() => {});
      void Thing("a", { value: made });
      void Thing("b", { value: Promise.resolve({ inner: later }) });
    });
    expect([...world.things.values()].map(({ value }) => value)).toEqual([{ inner: "one" }, "ONE"]);
  });

  test("that waits for such a one, however far behind", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up((app) => {
      const a = Thing("a", { value: app.defer(() => 1) });
      const b = Thing("b", { uses: a });
      void Thing("c", { uses: [a, b] });
    });
    expect(world.calls).toEqual(["create a", "create b", "create c"]);
  });

  test("that a handler declares and does not await", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    world.on("create a", () => void Thing("child", { value: app.defer(() => 1) }));
    await app.run(() => Thing("a"));
    await app.finalize();
    expect(world.calls).toEqual(["create a", "create child"]);
    expect(recordOf(app, "a/child")?.parent).toBe(recordOf(app, "a")?.uid);
  });

  test("that depends on such a one", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up((app) => {
      const a = Thing("a", { value: app.defer(() => 1) });
      void Thing("b", {}, { dependsOn: [a] });
    });
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("declared again behind one that waits", async () => {
    const { world, Thing, stage } = setUp();
    const program = (app: { defer(fn: () => number): Promise<number> }) => {
      void Thing("a", { value: app.defer(() => 1) });
      void Thing("a", { value: 2 });
    };
    await stage.up(program, { reapply: true });
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test("declared by whoever waited for one", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up((app) => {
      const a = Thing("a", { value: app.defer(() => 1) });
      void a.then(({ thing }) => Thing("b", { value: thing }));
    });
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("whose deferred value is refused: it fails with its name", async () => {
    const { world, Thing, stage } = setUp();
    const why = new Error("no value");
    const errors = await stage.failures((app) => {
      Thing("a", { value: app.defer(() => Promise.reject(why)) }).catch(() => {});
    });
    expect(errors).toContain(why);
    expect(errors).toContainEqual(expect.objectContaining({ code: "INVALID_PROPS", fqn: "app/dev/a" }));
    expect(world.calls).toEqual([]);
  });
});

describe("a deferred function runs", () => {
  test("only when no handler is at work", async () => {
    const { world, Thing, stage } = setUp();
    const working = gate();
    world.on("create b", () => working.opened);
    const app = await stage.open();
    await app.run(() => {
      void Thing("a", { value: app.defer(() => world.calls.push("deferred")) });
      void Thing("b");
    });
    const finalized = app.finalize();
    await quiet();
    expect(world.calls).toEqual(["create b"]);
    working.open();
    await finalized;
    expect(world.calls).toEqual(["create b", "deferred", "create a"]);
  });

  test.each(["the same", "another"])("only when nothing else is awaited in the props of %s resource", async (which) => {
    const { world, Thing, stage } = setUp();
    const answer = gate<string>();
    const app = await stage.open();
    await app.run(() => {
      const value = app.defer(() => world.calls.push("deferred"));
      const fetched = answer.opened.then((text) => ({ text }));
      if (which === "the same") void Thing("a", { value, uses: fetched });
      else void [Thing("a", { value }), Thing("b", { uses: fetched })];
    });
    const finalized = app.finalize();
    await quiet();
    expect(world.calls).toEqual([]);
    answer.open("fetched");
    await finalized;
    expect(world.calls).toEqual(which === "the same" ? ["deferred", "create a"] : ["create b", "deferred", "create a"]);
  });

  test("only when what waited for an earlier one has settled", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up((app) => {
      void Thing("a", { value: app.defer(() => 1) });
      const seen = app.defer(() => world.names);
      void Thing("b", { value: seen });
    });
    expect(world.things.get("b#2")?.value).toEqual(["a#1"]);
  });

  test("not while a handler works whose resource was declared before with a deferred value that failed it", async () => {
    const { world, Thing, stage } = setUp();
    const working = gate();
    world.on("create a", () => working.opened);
    const app = await stage.open({ reapply: true });
    await app.run(async () => {
      const value = app.defer(() => world.calls.push("deferred"));
      await Thing("a", { value, uses: Promise.reject(new Error("no use")) }).catch(() => {});
      void Thing("a", { value: 1 });
    });
    const finalized = app.finalize();
    await quiet();
    expect(world.calls).toEqual(["create a"]);
    working.open();
    expect(await failuresOf(finalized)).toHaveLength(1);
    expect(world.calls).toEqual(["create a", "deferred"]);
  });
});

describe("a value that another app defers", () => {
  test("is awaited like any promise", async () => {
    const { world, Thing, stage } = setUp();
    const first = await stage.open();
    const second = await new Stage({ stage: "second" }).open();
    const value = second.defer(() => world.calls.push("second"));
    await first.run(() => {
      void first.defer(() => world.calls.push("first"));
      void Thing("a", { value });
    });
    const finalized = first.finalize();
    await quiet();
    expect(world.calls).toEqual([]);
    await second.finalize();
    await finalized;
    expect(world.calls).toEqual(["second", "create a", "first"]);
  });
});

describe("a resource that waits for a deferred function of the root", () => {
  test("does not hold up the finalize() of its scope, which prunes nothing by force", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => stage.engine.run("s", () => Thing("old")));
    const app = await stage.open();
    await app.run((root) =>
      stage.engine.run("s", async (scope) => {
        void Thing("a", { value: root.defer(() => 1) });
        void scope.defer(() => world.calls.push("deferred in s"));
        await scope.finalize();
        await expect(scope.finalize({ force: true })).rejects.toMatchObject({
          code: "INVALID_CALL",
          message: expect.stringContaining('"app/dev/s/a"'),
        });
      }),
    );
    expect(world.news()).toEqual(["create old", "deferred in s"]);
    await app.finalize();
    expect(world.calls).toEqual(["create a", "delete old"]);
  });

  test("is not made after it was destroyed, or its scope: that is refused", async () => {
    const { world, Thing, stage } = setUp();
    const app = await stage.open();
    await app.run((root) =>
      stage.engine.run("s", async (scope) => {
        const a = Thing("a", { value: root.defer(() => 1) });
        await expect(stage.engine.destroy(scope)).rejects.toMatchObject({ code: "INVALID_CALL" });
        await expect(stage.engine.destroy(a)).rejects.toMatchObject({ code: "INVALID_CALL", fqn: "app/dev/s/a" });
      }),
    );
    await app.finalize();
    expect(world.calls).toEqual(["create a"]);
  });

  test("fails a run that ends without finalize, and is named", async () => {
    const { world, Thing, stage } = setUp();
    {
      await using app = await stage.open();
      await app.run((root) => void Thing("a", { value: root.defer(() => 1) }));
    }
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false, summary: { failed: 1 } }]);
    expect(stage.heard("resource:failed")).toMatchObject([{ fqn: "app/dev/a", code: "ABORTED" }]);
    expect(world.calls).toEqual([]);
  });
});
