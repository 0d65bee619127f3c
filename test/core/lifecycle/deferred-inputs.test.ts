import { describe, expect, test } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { type NewWorld, newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { gate, quiet } from "../../helpers/time/gate.js";

type Type = NewWorld["Thing"];

describe("finalize() does not wait for ever for a resource", () => {
  test("whose props hold a deferred value: it is applied when the function has run, and unchanged in the next run", async () => {
    const { world, Thing, stage } = newWorld();
    const program = (value: string) =>
      stage.up((app) => {
        void Thing("a", { value: { deep: [app.defer(() => value)] } });
      });
    await program("one");
    expect(stage.record("a")).toMatchObject({ status: "ready", props: { value: { deep: ["one"] } } });
    await program("one");
    expect(stage.summary).toEqual({ unchanged: 1 });
    await program("two");
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test.each<[string, (app: Scope, Thing: Type) => unknown, string[]]>([
    [
      "whose props are made from a deferred value",
      (app, Thing) => {
        const later = app.defer(() => "one");
        const made = later
          .then((text) => text.toUpperCase())
          .catch(() => "none")
          .finally(() => {});
        void Thing("a", { value: made });
        void Thing("b", { value: Promise.resolve({ inner: later }) });
      },
      ["b", "a"],
    ],
    [
      "that waits for such a one, however far behind",
      (app, Thing) => {
        const a = Thing("a", { value: app.defer(() => 1) });
        const b = Thing("b", { uses: a });
        void Thing("c", { uses: [a, b] });
      },
      ["a", "b", "c"],
    ],
    [
      "that depends on such a one",
      (app, Thing) => void Thing("b", {}, { dependsOn: [Thing("a", { value: app.defer(() => 1) })] }),
      ["a", "b"],
    ],
    [
      "declared by whoever waited for one",
      (app, Thing) => {
        const a = Thing("a", { value: app.defer(() => 1) });
        void a.then(({ thing }) => Thing("b", { value: thing }));
      },
      ["a", "b"],
    ],
  ])("%s", async (what, program, made) => {
    const { world, Thing, stage } = newWorld();
    await stage.up((app) => void program(app, Thing));
    expect(world.calls).toEqual(made.map((id) => `create ${id}`));
    if (what.includes("made from")) {
      expect([...world.things.values()].map(({ value }) => value)).toEqual([{ inner: "one" }, "ONE"]);
    }
  });

  test("that a handler declares and does not await", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up((app) => {
      world.on("create a", () => void Thing("child", { value: app.defer(() => 1) }));
      return Thing("a");
    });
    expect(world.calls).toEqual(["create a", "create child"]);
    expect(stage.record("a/child")?.parent).toBe(stage.record("a")?.uid);
  });

  test("declared again behind one that waits", async () => {
    const { world, Thing, stage } = newWorld();
    const program = (app: { defer(fn: () => number): Promise<number> }) => {
      void Thing("a", { value: app.defer(() => 1) });
      void Thing("a", { value: 2 });
    };
    await stage.up(program, { reapply: true });
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test("whose deferred value is refused: it fails with its name", async () => {
    const { world, Thing, stage } = newWorld();
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
    const { world, Thing, stage } = newWorld();
    const working = gate();
    world.on("create b", () => working.opened);
    const finalized = stage.up((app) => {
      void Thing("a", { value: app.defer(() => world.calls.push("deferred")) });
      void Thing("b");
    });
    await quiet();
    expect(world.calls).toEqual(["create b"]);
    working.open();
    await finalized;
    expect(world.calls).toEqual(["create b", "deferred", "create a"]);
  });

  test.each(["the same", "another"])("only when nothing else is awaited in the props of %s resource", async (which) => {
    const { world, Thing, stage } = newWorld();
    const answer = gate<string>();
    const finalized = stage.up((app) => {
      const value = app.defer(() => world.calls.push("deferred"));
      const fetched = answer.opened.then((text) => ({ text }));
      if (which === "the same") void Thing("a", { value, uses: fetched });
      else void [Thing("a", { value }), Thing("b", { uses: fetched })];
    });
    await quiet();
    expect(world.calls).toEqual([]);
    answer.open("fetched");
    await finalized;
    expect(world.calls).toEqual(which === "the same" ? ["deferred", "create a"] : ["create b", "deferred", "create a"]);
  });

  test("only when what waited for an earlier one has settled", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up((app) => {
      void Thing("a", { value: app.defer(() => 1) });
      const seen = app.defer(() => world.names);
      void Thing("b", { value: seen });
    });
    expect(world.things.get("b#2")?.value).toEqual(["a#1"]);
  });

  test("not while a handler works whose resource was declared before with a deferred value that failed it", async () => {
    const { world, Thing, stage } = newWorld();
    const working = gate();
    world.on("create a", () => working.opened);
    const program = async (app: Scope) => {
      const value = app.defer(() => world.calls.push("deferred"));
      await Thing("a", { value, uses: Promise.reject(new Error("no use")) }).catch(() => {});
      void Thing("a", { value: 1 });
    };
    const failures = stage.failures(program, { reapply: true });
    await quiet();
    expect(world.calls).toEqual(["create a"]);
    working.open();
    expect(await failures).toHaveLength(1);
    expect(world.calls).toEqual(["create a", "deferred"]);
  });
});

describe("a value that another app defers", () => {
  test("is awaited like any promise", async () => {
    const { world, Thing, stage } = newWorld();
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
    const { world, Thing, stage } = newWorld();
    await stage.up(() => stage.engine.run("s", () => Thing("old")));
    await stage.up((root) =>
      stage.engine.run("s", async (scope) => {
        void Thing("a", { value: root.defer(() => 1) });
        void scope.defer(() => world.calls.push("deferred in s"));
        await scope.finalize();
        const refused = { code: "INVALID_CALL", message: expect.stringContaining('"app/dev/s/a"') };
        await expect(scope.finalize({ force: true })).rejects.toMatchObject(refused);
      }),
    );
    expect(world.calls).toEqual(["create old", "deferred in s", "create a", "delete old"]);
  });

  test("is not made after it was destroyed, or its scope: that is refused", async () => {
    const { world, Thing, stage } = newWorld();
    await stage.up((root) =>
      stage.engine.run("s", async (scope) => {
        const a = Thing("a", { value: root.defer(() => 1) });
        await expect(stage.engine.destroy(scope)).rejects.toMatchObject({ code: "INVALID_CALL" });
        await expect(stage.engine.destroy(a)).rejects.toMatchObject({ code: "INVALID_CALL", fqn: "app/dev/s/a" });
      }),
    );
    expect(world.calls).toEqual(["create a"]);
  });

  test("fails a run that ends without finalize, and is named", async () => {
    const { world, Thing, stage } = newWorld();
    {
      await using app = await stage.open();
      await app.run((root) => void Thing("a", { value: root.defer(() => 1) }));
    }
    expect(stage.heard("run:finished")).toMatchObject([{ ok: false, summary: { failed: 1 } }]);
    expect(stage.heard("resource:failed")).toMatchObject([{ fqn: "app/dev/a", code: "ABORTED" }]);
    expect(world.calls).toEqual([]);
  });
});
