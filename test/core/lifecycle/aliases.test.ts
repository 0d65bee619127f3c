import { describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf, recordsOf } from "../../helpers/apps/stage.js";
import { newKind } from "../../helpers/apps/world.js";

const setUp = () => newWorld({ replaceOn: ["name"] });
const was = (...aliases: string[]) => ({ aliases });

describe("a resource that takes over what is recorded under an earlier name", () => {
  test("keeps uid, physical name and place; no handler is called, and one change is written, once", async () => {
    const { world, Thing, stage } = setUp();
    const first = recordOf(await stage.up(() => Thing("a", { value: 1 })), "a");
    world.news();
    const app = await stage.open();
    expect(await app.run(() => Thing("b", { value: 1 }, was("a")))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    expect(recordsOf(app)).toEqual([{ ...first, key: "b" }]);
    expect(stage.heard("state:committed").reduce((sum, { changes }) => sum + changes, 0)).toBe(1);
    expect(stage.summary).toEqual({ unchanged: 1 });
    for (const options of [was("a"), {}]) {
      await stage.up(() => Thing("b", { value: 1 }, options));
      expect(stage.heard("state:committed")).toEqual([]);
      expect(stage.summary).toEqual({ unchanged: 1 });
    }
    expect(world.calls).toEqual([]);
  });

  test("may come from another scope, by FQN, and go into one", async () => {
    const { world, Thing, stage, run } = setUp();
    await stage.up(() => run("old", () => Thing("a")));
    const app = await stage.up(() => run("new", () => Thing("b", {}, was("app/dev/old/a"))));
    expect(recordsOf(app)).toMatchObject([{ key: "new/b", physicalName: "app-old-a-dev" }]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("finds it under any of its earlier names, the first that is recorded", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("b"));
    await stage.up(() => Thing("d", {}, was("c", "b", "a")));
    expect(stage.summary).toEqual({ unchanged: 1 });
    await stage.up(() => Thing("e", {}, was("d", "c")));
    expect(stage.summary).toEqual({ unchanged: 1 });
    expect(world.calls).toEqual(["create b"]);
  });

  test("goes on from its own record where it has one, and the earlier name is an orphan", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => [Thing("a"), Thing("b")]);
    await stage.up(() => Thing("b", {}, was("a")));
    expect(world.names).toEqual(["b#2"]);
    expect(stage.summary).toEqual({ unchanged: 1, deleted: 1 });
  });

  test("leaves the earlier name to another one once it has its record", async () => {
    const { world, Thing, stage } = setUp();
    const renamed = () => Thing("b", {}, was("a"));
    await stage.up(() => Thing("a"));
    await stage.up(renamed);
    await stage.up(() => [renamed(), Thing("a")]);
    await stage.up(() => [Thing("a"), renamed()]);
    expect(stage.summary).toEqual({ unchanged: 2 });
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("takes its children along, with their data, and that of its handler's scope", async () => {
    const { world, Thing, stage, run } = setUp();
    world.on("create a", async () => {
      await Thing("child");
      await run("inner", async (scope) => {
        await scope.set("key", "inside");
        await Thing("deep");
      });
    });
    world.on("create child", ({ set }) => set("key", "of the child"));
    await stage.up(() => Thing("a", { value: 1 }));
    world.news();
    await stage.up(() => Thing("b", { value: 1 }, was("a")));
    expect(stage.keys).toEqual(["b", "b/child", "b/inner/deep"]);
    const seen: unknown[] = [];
    world.on("update b", async () => {
      await Thing("child", { value: 2 });
      await run("inner", async (scope) => {
        seen.push(await scope.get("key"));
        await Thing("deep");
      });
    });
    world.on("update child", async ({ get }) => void seen.push(await get("key")));
    await stage.up(() => Thing("b", { value: 2 }));
    expect(seen).toEqual(["of the child", "inside"]);
    expect(world.calls).toEqual(["update b", "update child"]);
    await stage.up();
    expect(world.names).toEqual([]);
  });

  test("takes old copies along that wait for their delete", async () => {
    const { world, Thing, stage, failed } = setUp();
    await stage.up(() => Thing("a", { name: "x" }));
    await failed("delete a", () => Thing("a", { name: "y" }));
    const app = await stage.up(() => Thing("b", { name: "y" }, was("a")));
    expect(world.names).toEqual(["a#2"]);
    expect(recordsOf(app)).toMatchObject([{ key: "b", status: "ready", replaces: undefined }]);
  });

  test("is updated, or replaced, where its props, or its kind, changed at the same time", async () => {
    const { world, Thing, stage } = setUp();
    const Other = world.type();
    for (const [declare, summary] of [
      [() => Thing("a", { value: 1 }), { created: 1 }],
      [() => Thing("b", { value: 2 }, was("a")), { updated: 1 }],
      [() => Thing("c", { value: 2, name: "y" }, was("b")), { replaced: 1, deleted: 1 }],
      [() => Other("d", { value: 2, name: "y" }, was("c")), { replaced: 1, deleted: 1 }],
    ] as const) {
      await stage.up(declare);
      expect(stage.summary).toEqual(summary);
    }
    expect(world.calls).toEqual(["create a", "update b", "create c", "delete c", "create d", "delete d"]);
    expect(world.names).toEqual(["d#3"]);
  });

  test("moves into, and out of, the handler of another", async () => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a"));
    world.on("create p", async () => void (await Thing("a", {}, was("app/dev/a"))));
    await stage.up(() => Thing("p"));
    expect(stage.record("p/a")?.parent).toBe(stage.record("p")?.uid);
    await stage.up(() => [Thing("p"), Thing("a", {}, was("app/dev/p/a"))]);
    expect(stage.record("a")?.parent).toBeUndefined();
    expect(world.names).toEqual(["a#1", "p#2"]);
  });

  test("is protected as before, and goes on with an interrupted update", async () => {
    const { world, Thing, stage, failed } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    await failed("update a", () => Thing("a", { value: 2 }));
    const seen: unknown[] = [];
    world.on("update b", ({ recovering, attempt }) => void seen.push(recovering, attempt));
    await stage.up(() => Thing("b", { value: 2 }, was("a")));
    expect(seen).toEqual([true, 2]);
  });
});

test.each([{ phase: "read" }, { phase: "destroy" }] as const)(
  "an earlier name is found in the phase $phase",
  async ({ phase }) => {
    const { world, Thing, stage } = setUp();
    await stage.up(() => Thing("a", { value: 1 }));
    const app = await stage.open({ phase });
    expect(await app.run(() => Thing("b", {}, was("a")))).toEqual({ thing: "a#1", value: 1 });
    await app.finalize();
    const isRead = phase === "read";
    expect([world.names, stage.keys]).toEqual([isRead ? ["a#1"] : [], isRead ? ["a"] : []]);
  },
);

function takingOver(taken: unknown) {
  const { world, Thing: Old, stage } = newWorld();
  const calls: string[] = [];
  const New = Resource<{ readonly thing: string }, { readonly value?: unknown }>(newKind(), {
    create: ({ id }) => ({ thing: `${id} anew` }),
    read({ output, recordedKind }) {
      calls.push(recordedKind === Old.kind ? `read ${Object(output).thing}` : "read");
      return taken ? { thing: `${Object(output).thing} taken over` } : undefined;
    },
    update: ({ output }) => output,
    movesFrom: (kind) => kind === Old.kind,
  });
  return { world, Old, New, calls, stage };
}

describe("a resource of another kind, under an alias", () => {
  test("is taken over by a type that can, and not replaced", async () => {
    const { world, Old, New, calls, stage } = takingOver(true);
    await stage.up(() => Old("old", { value: 1 }));
    await stage.up(() => New("new", { value: 1 }, { aliases: ["old"] }));
    expect([stage.summary, calls, world.names]).toEqual([{ unchanged: 1 }, ["read old#1"], ["old#1"]]);
    expect(stage.record("new")).toMatchObject({ kind: New.kind, output: { thing: "old#1 taken over" } });
    await stage.up(() => New("new", { value: 1 }));
    expect([stage.summary, calls.length]).toEqual([{ unchanged: 1 }, 1]);
  });

  test("is replaced where its type finds nothing to take over", async () => {
    const { world, Old, New, stage } = takingOver(false);
    await stage.up(() => Old("old"));
    await stage.up(() => New("new", {}, { aliases: ["old"] }));
    expect([stage.summary, world.names]).toEqual([{ replaced: 1, deleted: 1 }, []]);
  });

  test("is not taken over by a plan, which says what is to come", async () => {
    const { Old, New, stage } = takingOver(true);
    await stage.up(() => Old("old", { value: 1 }));
    const plan = await stage.plan(() => New("new", { value: 2 }, { aliases: ["old"] }));
    expect(plan.actions).toMatchObject([{ action: "update", id: "new" }]);
    await stage.up(() => Old("old", { value: 1 }));
    expect([stage.summary, stage.record("old")?.kind]).toEqual([{ unchanged: 1 }, Old.kind]);
  });
});
