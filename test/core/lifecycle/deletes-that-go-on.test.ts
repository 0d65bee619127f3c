/** Deletes that failed or were interrupted, in the runs that follow. */
import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import type { Thing, TypeOptions } from "../../helpers/apps/world.js";
import { afterDelete, endingIn, HOWS, type How } from "./after-delete.js";

const VALUE = { value: 1 };

describe.each(HOWS)("a delete of an earlier run that %s", (how) => {
  const orphan = () => afterDelete(how, { read: true }, "up");

  test("counts for maxDeletes", async () => {
    const { world, stage } = await orphan();
    expect(await stage.failures(() => {}, { maxDeletes: 0 })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(world.news()).toEqual([]);
  });

  test("is not made with destroyOrphans: false", async () => {
    const { world, stage } = await orphan();
    expect(recordsOf(await stage.up(() => {}, { destroyOrphans: false }))).toHaveLength(1);
    expect(world.news()).toEqual([]);
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
    await stage.up(() => Thing("a", VALUE, { protect: true }));
    expect(world.news()).toEqual(["read a"]);
    expect(await stage.failures(() => {})).toMatchObject([{ code: "PROTECTED" }]);
    expect(world.news()).toEqual([]);
  });

  test("only forgets what was declared with retainOnDelete meanwhile", async () => {
    const { world, Thing, stage } = await orphan();
    await stage.up(() => Thing("a", VALUE, { retainOnDelete: true }));
    world.news();
    expect(recordsOf(await stage.up())).toEqual([]);
    expect([world.news(), world.names]).toEqual([[], ["a#1"]]);
  });

  test("stands in the plan, with its reason", async () => {
    const plan = await (await orphan()).stage.plan(() => {});
    const reason = how === "failed" ? "declared; its last delete failed (403 forbidden)" : "its delete was interrupted";
    expect(plan.actions).toMatchObject([{ action: "delete", reason: expect.stringContaining(reason) }]);
  });
});

describe.each(HOWS)("a resource whose delete %s, and that the program declares", (how) => {
  const half = (thing: Thing): Thing => ({ ...thing, value: "half" });

  test.each<[string, TypeOptions, ((thing: Thing) => Thing | undefined) | undefined, number, string[]]>([
    ["stays if read finds it", { read: true }, undefined, 1, ["read a"]],
    ["is made again if read finds nothing", { read: true }, () => undefined, 1, ["read a", "create a"]],
    ["is updated if the delete has changed it", { read: true }, half, 1, ["read a", "update a"]],
    ["is updated if the program has changed it", { read: true }, undefined, 2, ["read a", "update a"]],
  ])("%s", async (_what, type, meanwhile, value, calls) => {
    const { world, Thing, stage } = await afterDelete(how, type);
    const [[name, there]] = [...world.things] as [[string, Thing]];
    const now = meanwhile ? meanwhile(there) : there;
    if (now) world.things.set(name, now);
    else world.things.clear();
    await stage.up(() => Thing("a", { value }));
    expect(world.news()).toEqual(calls);
    expect([...world.things.values()]).toMatchObject([{ value }]);
    expect(stage.record("a")).toMatchObject({
      status: "ready",
      attempt: 0,
      deletion: undefined,
      deleteFailed: undefined,
    });
    await stage.up(() => Thing("a", { value }));
    expect([world.news(), stage.summary]).toEqual([[], { unchanged: 1 }]);
  });
});

test.each<[string, How, TypeOptions]>([
  ["it can neither be read nor updated, and its delete failed", "failed", { update: false }],
  ["it can neither be read nor updated, and its delete was interrupted", "was interrupted", { update: false }],
  ["it cannot be read, and its delete was interrupted", "was interrupted", {}],
  ["its read cannot tell, and its delete was interrupted", "was interrupted", { read: true }],
])("a resource that the program declares fails with both commands, if %s", async (_what, how, type) => {
  const { world, Thing, stage } = await afterDelete(how, type);
  world.on("read a", () => {
    throw new EngineError("UNRESOLVED", "not now");
  });
  for (let run = 1; run <= 2; run++) {
    const [error] = await stage.failures(() => Thing("a", VALUE));
    expect(error).toMatchObject({ code: "UNRESOLVED", fqn: "app/dev/a" });
    if (how === "was interrupted") expect(String(error)).toContain("which a destroy began, was interrupted");
    expect(String(error)).toContain('"engine state forget app/dev/a"');
    expect(String(error)).toContain('"engine state keep app/dev/a"');
  }
  expect(world.news().filter((call) => call !== "read a")).toEqual([]);
  expect(world.names).toEqual(["a#1"]);
});

describe.each(HOWS)("the delete of an old copy that %s", (how) => {
  async function oldCopy() {
    const there = newWorld({ read: true, replaceOn: ["name"] });
    await there.stage.up(() => there.Thing("a", { name: "one" }));
    await endingIn(there, how, () => there.Thing("a", { name: "two" }));
    return { ...(await there), declare: (options = {}) => there.Thing("a", { name: "two" }, options) };
  }

  test("is repeated by the next run, and says nothing about the resource that took its place", async () => {
    const { world, declare, stage } = await oldCopy();
    const app = await stage.open();
    expect(recordsOf(app)).toMatchObject([
      how === "failed"
        ? { replaced: true, status: "ready", deleteFailed: { attempts: 1 } }
        : { replaced: true, status: "deleting" },
      { status: "ready", deleteFailed: undefined },
    ]);
    await app.run(() => declare());
    await app.finalize();
    expect([world.news(), world.names]).toEqual([["delete a"], ["a#2"]]);
    expect(stage.record("a")).toMatchObject({ status: "ready", replaces: undefined });
  });

  test("is not held back by protect", async () => {
    const { world, declare, stage } = await oldCopy();
    await stage.up(() => declare({ protect: true }));
    expect(world.news()).toEqual(["delete a"]);
  });

  test.each(["up", "destroy"] as const)("is held back by retainOnDelete (%s)", async (phase) => {
    const { world, declare, stage } = await oldCopy();
    await stage.up(() => declare({ retainOnDelete: true }), { noop: phase === "destroy" });
    if (phase === "destroy") await stage.destroy();
    expect([world.news(), world.names]).toEqual([[], ["a#1", "a#2"]]);
  });

  test("counts for maxDeletes", async () => {
    const { world, declare, stage } = await oldCopy();
    expect(await stage.failures(() => declare(), { maxDeletes: 0 })).toMatchObject([{ code: "TOO_MANY_DELETES" }]);
    expect(world.news()).toEqual([]);
  });
});
