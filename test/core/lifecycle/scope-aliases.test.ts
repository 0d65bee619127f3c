import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Scope, ScopeOptions } from "../../../core/contract/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { keysOf, recordOf, recordsOf, type Stage } from "../../helpers/apps/stage.js";
import { newFolder } from "../../helpers/processes/new-folder.js";

function setUp() {
  const { world, Thing, stage } = newWorld({ replaceOn: ["name"] });
  const run = (name: string, options: ScopeOptions, program: (scope: Scope) => unknown) =>
    stage.engine.run(name, options, async (scope) => void (await program(scope)));
  const old = (program: (scope: Scope) => unknown) => run("old", {}, program);
  /** The same scope under its new name. */
  const renamed = (program: (scope: Scope) => unknown) => run("new", { aliases: ["old"] }, program);
  return { world, stage, run, old, renamed, Thing };
}

const changes = (stage: Stage): number => stage.heard("state:committed").reduce((sum, one) => sum + one.changes, 0);

describe("a scope that is given another name, with the old one as an alias", () => {
  test("keeps its resources as they are: no handler is called, and a second run writes nothing", async () => {
    const { world, stage, run, old, renamed, Thing } = setUp();
    const before = recordsOf(await stage.up(() => old(() => [Thing("a"), Thing("b")])));
    const app = await stage.up(() => renamed(() => [Thing("a"), Thing("b")]));
    expect(recordsOf(app)).toEqual(before.map((record) => ({ ...record, key: record.key.replace("old", "new") })));
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(changes(stage)).toBe(2);
    for (const options of [{ aliases: ["old"] }, {}]) {
      await stage.up(() => run("new", options, () => [Thing("a"), Thing("b")]));
      expect(stage.summary).toEqual({ unchanged: 2 });
      expect(stage.heard("state:committed")).toEqual([]);
    }
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("brings along what is in scopes inside, under any of their earlier names", async () => {
    const { world, stage, run, old, Thing } = setUp();
    await stage.up(() =>
      old(() => [run("in1", {}, () => Thing("a")), run("same", {}, () => run("deep", {}, () => Thing("b")))]),
    );
    await stage.up(() =>
      run("new", { aliases: ["oldest", "old"] }, () => [
        run("in2", { aliases: ["in1"] }, () => Thing("a")),
        run("same", {}, () => run("deep", {}, () => Thing("c", {}, { aliases: ["b"] }))),
      ]),
    );
    expect(stage.keys).toEqual(["new/in2/a", "new/same/deep/c"]);
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("may have been elsewhere in the stage", async () => {
    const { world, stage, run, old, Thing } = setUp();
    await stage.up(() => run("x", {}, () => old(() => Thing("a"))));
    await stage.up(() => run("y", {}, () => run("new", { aliases: ["app/dev/x/old"] }, () => Thing("a"))));
    expect(stage.keys).toEqual(["y/new/a"]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("has its data, and the data of scopes inside; what it has set by its new name already stays", async () => {
    const { stage, run, old, renamed } = setUp();
    await stage.up(() =>
      old(async (scope) => {
        await scope.set("both", "old");
        await scope.set("one", "old");
        await run("inner", {}, (inner) => inner.set("key", "inside"));
      }),
    );
    await stage.up(() => run("new", {}, (scope) => scope.set("both", "new")));
    const seen: unknown[] = [];
    const look = () =>
      renamed(async (scope) => {
        await run("inner", {}, async (inner) => seen.push(await inner.get("key")));
        seen.push(await scope.get("both"), await scope.get("one"));
      });
    await stage.up(look, { plan: true });
    await stage.up(look, { phase: "read" });
    await stage.up(look);
    await stage.up(look);
    expect(stage.heard("state:committed")).toEqual([]);
    expect(seen).toEqual(Array.from({ length: 4 }, () => ["inside", "new", "old"]).flat());
    const app = await stage.up(() => old(async (scope) => seen.push(await scope.get("both"))));
    expect(seen.at(-1)).toBe("old");
    expect(await app.get("one")).toBeUndefined();
  });

  test("takes parts of resources along, and updates, replaces and deletes what has changed", async () => {
    const { world, stage, old, renamed, Thing } = setUp();
    world.on("create p", async () => void (await Thing("child")));
    await stage.up(() => old(() => [Thing("p"), Thing("u", { value: 1 }), Thing("r", { name: "x" }), Thing("gone")]));
    world.news();
    await stage.up(() => renamed(() => [Thing("p"), Thing("u", { value: 2 }), Thing("r", { name: "y" })]));
    expect(stage.keys).toEqual(["new/p", "new/p/child", "new/r", "new/u"]);
    expect([...world.calls].sort()).toEqual(["create r", "delete gone", "delete r", "update u"]);
    expect(stage.summary).toEqual({ unchanged: 1, updated: 1, replaced: 1, deleted: 2 });
  });

  test("is in a plan with each resource that goes on under its new name, and a run keeps to that plan", async () => {
    const { stage, old, renamed, Thing } = setUp();
    await stage.up(() => old(() => [Thing("a"), Thing("gone")]));
    const program = () => renamed(() => Thing("a"));
    const planFile = join(await newFolder(), "plan.json");
    await stage.up(program, { plan: true, planOut: planFile });
    expect(stage.heard("plan:made")).toMatchObject([
      {
        actions: [{ action: "delete", fqn: "app/dev/old/gone" }],
        renamed: [{ fqn: "app/dev/new/a", reason: 'was "app/dev/old/a"' }],
        counts: { unchanged: 1, delete: 1 },
      },
    ]);
    const otherwise = () => renamed(() => Thing("gone"));
    expect(await stage.failures(otherwise, { planFile })).toMatchObject([
      { code: "PLAN_MISMATCH", fqn: "app/dev/new/gone" },
    ]);
    expect(keysOf(await stage.up(program, { planFile }))).toEqual(["new/a"]);
  });

  test("gives what is recorded in the phases read and destroy, too", async () => {
    const { world, stage, old, renamed, Thing } = setUp();
    await stage.up(() => old(() => Thing("a", { value: 1 })));
    const seen: unknown[] = [];
    const program = () => renamed(async (scope) => seen.push(await scope.has("a"), await Thing("a", { value: 1 })));
    await stage.up(program, { phase: "read" });
    await stage.up(program, { phase: "destroy" });
    expect(seen).toEqual([true, { thing: "a#1", value: 1 }, false, { thing: "a#1", value: 1 }]);
    expect(world.names).toEqual([]);
  });

  test("keeps what it no longer declares where it keeps its orphans, also without the alias afterwards", async () => {
    const { world, stage, run, Thing } = setUp();
    const own = { destroyOrphans: false };
    const beside = () => run("beside", own, () => {});
    const inner = () => run("inner", {}, () => Thing("b"));
    await stage.up(() => [run("old", own, () => [Thing("a"), inner()]), run("beside", own, () => Thing("c"))]);
    const app = await stage.up(() => [run("new", { ...own, aliases: ["old"] }, () => {}), beside()]);
    const kept = ["beside/c", "new/a", "new/inner/b"];
    expect(keysOf(app)).toEqual(kept);
    const retained = stage.heard("resource:retained").map(({ fqn }) => fqn);
    expect(retained.toSorted()).toEqual(kept.map((key) => `app/dev/${key}`));
    await stage.up(() => [run("new", own, () => {}), beside()]);
    expect(world.names).toEqual(["a#1", "b#3", "c#2"]);
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("leaves what is not targeted under its old name, and finds it there later", async () => {
    const { world, stage, run, Thing } = setUp();
    const program = (name: string, options: ScopeOptions) => run(name, options, () => [Thing("a"), Thing("b")]);
    await stage.up(() => program("old", {}));
    await stage.up(() => program("new", { aliases: ["old"] }), { target: ["app/dev/new/a"] });
    expect(stage.keys).toEqual(["new/a", "old/b"]);
    const after = await stage.up(() => program("new", { aliases: ["old"] }));
    expect(keysOf(after)).toEqual(["new/a", "new/b"]);
    expect(world.calls).toEqual(["create a", "create b"]);
  });

  test("goes on with what a run that was interrupted in it has left pending", async () => {
    const { world, stage, old, renamed, Thing } = setUp();
    world.fails("create b");
    await stage.failures(() => old(() => [Thing("a"), Thing("b")]));
    world.calm();
    const pending = recordOf(await stage.open({ phase: "read" }), "old/b");
    expect(pending?.status).toBe("creating");
    const app = await stage.up(() => renamed(() => [Thing("a"), Thing("b")]));
    expect(recordOf(app, "new/b")).toMatchObject({ status: "ready", uid: pending?.uid });
    expect(keysOf(app)).toEqual(["new/a", "new/b"]);
  });

  test("is destroyed and pruned with what has not moved yet", async () => {
    const { world, stage, old, renamed, Thing } = setUp();
    const both = () => [old(() => Thing("a")), Thing("outside")];
    await stage.up(both);
    world.news();
    await stage.up(async () => {
      await renamed((scope) => stage.engine.destroy(scope));
      expect(world.calls).toEqual(["delete a"]);
      await Thing("outside");
    });
    await stage.up(both);
    world.news();
    await stage.up(async () => {
      await renamed((scope) => scope.finalize({ force: true }));
      expect(world.calls).toEqual(["delete a"]);
      await Thing("outside");
    });
    expect(world.calls).toEqual(["delete a"]);
  });

  test("is renamed in a handler as well", async () => {
    const { world, stage, run, Thing } = setUp();
    const seen: unknown[] = [];
    const inner = (name: string, options: ScopeOptions) => () =>
      run(name, options, async (scope) => {
        seen.push(await scope.get("key"));
        await scope.set("key", "inside");
        await Thing("deep");
      });
    world.on("create p", inner("old", {}));
    await stage.up(() => Thing("p", { value: 1 }));
    world.on("update p", inner("new", { aliases: ["old"] }));
    await stage.up(() => Thing("p", { value: 2 }));
    expect(stage.keys).toEqual(["p", "p/new/deep"]);
    expect(seen).toEqual([undefined, "inside"]);
    expect(world.calls).toEqual(["create p", "create deep", "update p"]);
  });

  test("that a program has kept goes by its aliases in later generations, too", async () => {
    const { world, stage, run, old, Thing } = setUp();
    await stage.up(() => old(() => [Thing("a"), Thing("b")]));
    const app = await stage.open();
    let kept: Scope | undefined;
    await app.run(() =>
      run("new", { aliases: ["old"], destroyOrphans: false }, (scope) => {
        kept = scope;
      }),
    );
    await app.finalize();
    await kept?.run(() => [Thing("a"), Thing("b")]);
    await app.finalize();
    expect(keysOf(app)).toEqual(["new/a", "new/b"]);
    expect(world.calls).toEqual(["create a", "create b"]);
  });
});
