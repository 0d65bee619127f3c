import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { recordOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { type TypeOptions, World } from "../../helpers/apps/world.js";

type How = "failed" | "was interrupted";
const HOWS: readonly How[] = ["failed", "was interrupted"];

function setUp(options: TypeOptions = {}) {
  const world = new World();
  return { world, Thing: world.type(options), stage: new Stage() };
}

type SetUp = ReturnType<typeof setUp>;

/** Runs something in which the delete of "a" fails or is interrupted. */
async function without({ world, stage }: SetUp, how: How, program: () => unknown): Promise<void> {
  const controller = new AbortController();
  world.on("delete a", () => {
    if (how !== "failed") controller.abort();
    throw new Error("not deleted");
  });
  await stage.up(program, { signal: controller.signal }).catch(() => {});
  world.calm();
  world.news();
}

describe.each(HOWS)("a delete of an earlier run that %s", (how) => {
  async function orphan(): Promise<SetUp> {
    const there = setUp({ read: true });
    await there.stage.up(() => there.Thing("a"));
    await without(there, how, () => {});
    return there;
  }

  test("counts for maxDeletes", async () => {
    const { world, stage } = await orphan();
    expect(await stage.failures(() => {}, { maxDeletes: 0 })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(world.news()).toEqual([]);
  });

  test("is not made with destroyOrphans: false", async () => {
    const { world, stage } = await orphan();
    const app = await stage.up(() => {}, { destroyOrphans: false });
    expect(world.news()).toEqual([]);
    expect(recordsOf(app)).toHaveLength(1);
  });

  test("is asked about by beforePrune, which may refuse it", async () => {
    const { world, stage } = await orphan();
    const items: unknown[] = [];
    const careful = definePlugin({
      name: "careful",
      apply({ hooks }) {
        hooks.beforePrune.tap("careful", (context) => {
          items.push(...context.items.map(({ id, reason }) => [id, reason]));
          context.veto("not today");
        });
      },
    });
    expect(await stage.failures(() => {}, { plugins: [careful] })).toMatchObject([{ code: "VETOED" }]);
    expect(items).toEqual([["a", "orphan"]]);
    expect(world.news()).toEqual([]);
  });

  test("is refused once the resource was declared as protected", async () => {
    const { world, Thing, stage } = await orphan();
    await stage.up(() => Thing("a", {}, { protect: true }));
    expect(world.news()).toEqual(["read a"]);
    expect(await stage.failures(() => {})).toMatchObject([{ code: "PROTECTED" }]);
    expect(world.news()).toEqual([]);
  });

  test("only forgets what was declared with retainOnDelete meanwhile", async () => {
    const { world, Thing, stage } = await orphan();
    await stage.up(() => Thing("a", {}, { retainOnDelete: true }));
    world.news();
    expect(recordsOf(await stage.up())).toEqual([]);
    expect(world.news()).toEqual([]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("stands in the plan, with its reason", async () => {
    const { stage } = await orphan();
    const settings = { stage: "dev", argv: [], env: {}, stateStore: stage.store };
    const plan = await stage.engine.plan("app", settings, () => {});
    const reason = how === "failed" ? "declared; its last delete failed (not deleted)" : "its delete was interrupted";
    expect(plan.actions).toMatchObject([{ action: "delete", reason: expect.stringContaining(reason) }]);
  });
});

describe.each(HOWS)("the delete of an old copy that %s", (how) => {
  async function oldCopy(): Promise<SetUp> {
    const there = setUp({ read: true, replaceOn: ["name"] });
    const { Thing, stage } = there;
    await stage.up(() => Thing("a", { name: "one" }));
    await without(there, how, () => Thing("a", { name: "two" }));
    return there;
  }

  test("is repeated by the next run, and says nothing about the resource that took its place", async () => {
    const { world, Thing, stage } = await oldCopy();
    const app = await stage.open();
    expect(recordsOf(app)).toMatchObject([
      how === "failed"
        ? { replaced: true, status: "ready", deleteFailed: { attempts: 1 } }
        : { replaced: true, status: "deleting" },
      { status: "ready", deleteFailed: undefined },
    ]);
    await app.run(() => Thing("a", { name: "two" }));
    await app.finalize();
    expect(world.news()).toEqual(["delete a"]);
    expect(world.names).toEqual(["a#2"]);
    expect(recordOf(app, "a")).toMatchObject({ status: "ready", replaces: undefined });
  });

  test("is not held back by protect", async () => {
    const { world, Thing, stage } = await oldCopy();
    await stage.up(() => Thing("a", { name: "two" }, { protect: true }));
    expect(world.news()).toEqual(["delete a"]);
  });

  test("is held back by retainOnDelete", async () => {
    const { world, Thing, stage } = await oldCopy();
    await stage.up(() => Thing("a", { name: "two" }, { retainOnDelete: true }));
    expect(world.news()).toEqual([]);
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("is held back by retainOnDelete in a destroy, too", async () => {
    const { world, Thing, stage } = await oldCopy();
    await stage.up(() => Thing("a", { name: "two" }, { retainOnDelete: true }), { noop: true });
    await stage.up(() => {}, { phase: "destroy" });
    expect(world.news()).toEqual([]);
    expect(world.names).toEqual(["a#1", "a#2"]);
  });

  test("counts for maxDeletes", async () => {
    const { world, Thing, stage } = await oldCopy();
    const errors = await stage.failures(() => Thing("a", { name: "two" }), { maxDeletes: 0 });
    expect(errors).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(world.news()).toEqual([]);
  });
});
