import { describe, expect, test } from "vitest";
import type { EnginePlugin } from "../../../core/contract/index.js";
import { comparePositions } from "../../../core/order/index.js";
import { Resource } from "../../../core/resource/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { recordOf } from "../../helpers/apps/stage.js";
import { lost, newKind, type Thing, type World } from "../../helpers/apps/world.js";
import { loadFrom } from "../../helpers/stores/journals.js";

const refusing: EnginePlugin = {
  name: "refusing",
  apply: ({ hooks }) => hooks.beforeDelete.tap("refusing", ({ veto }) => veto("not now")),
};

/** What a create has made whose result was lost. The next run finds it, is refused its delete, and leaves it. */
async function foundAndKept(update: boolean, meanwhile?: (world: World) => void) {
  const { world, Thing, stage } = newWorld({ read: true, update });
  lost(world, "create a");
  await stage.failures(() => Thing("a", { value: 1 }));
  world.calm();
  meanwhile?.(world);
  await stage.failures(() => {}, { plugins: [refusing] });
  world.news();
  return { world, Thing, stage };
}

describe.each([
  ["that can update", true],
  ["without update", false],
])("what was found when its interrupted create was to be deleted, of a type %s", (_, update) => {
  test("is deleted after what uses it, where it is declared again", async () => {
    const { world, Thing, stage } = await foundAndKept(update);
    const app = await stage.up(async () => {
      const { thing } = await Thing("a", { value: 1 });
      await Thing("b", { value: thing });
    });
    const [a, b] = [recordOf(app, "a"), recordOf(app, "b")];
    expect(a?.done).toBeDefined();
    expect(comparePositions(b?.ready ?? [], a?.done ?? [])).toBeGreaterThan(0);
    world.news();
    await stage.up();
    expect(world.news()).toEqual(["delete b", "delete a"]);
  });

  test("is deleted with the next run that does not declare it", async () => {
    const { world, stage } = await foundAndKept(update);
    await stage.up();
    expect(world.news()).toEqual(["delete a"]);
    expect(world.names).toEqual([]);
  });
});

describe("what somebody has changed before it was found so", () => {
  const changed = (world: World): void => {
    const there = world.things.get("a#1");
    if (there) world.things.set("a#1", { ...there, value: "by somebody" });
  };

  test("becomes what is declared, and the plan says so", async () => {
    const { world, Thing, stage } = await foundAndKept(true, changed);
    const program = () => Thing("a", { value: 1 });
    const options = { stage: "dev", argv: [], env: {}, stateStore: stage.store };
    const plan = await stage.engine.plan("app", options, program);
    expect(plan.actions).toMatchObject([
      { action: "update", reason: expect.stringMatching(/^not whole since .*: its create was interrupted, or /) },
    ]);
    await stage.up(program);
    expect(world.news()).toEqual(["update a"]);
    expect(world.things.get("a#1")).toMatchObject({ value: 1 });
    await stage.up(program);
    expect(world.news()).toEqual([]);
  });

  test("has nothing of the interruption in its record where its type cannot update it", async () => {
    const { stage } = await foundAndKept(false, changed);
    const { contents } = await loadFrom(stage.store);
    const record = contents.at("a");
    expect(record).toMatchObject({ status: "ready", attempt: 0 });
    expect([record?.since, record?.error]).toEqual([undefined, undefined]);
  });
});

test("what was found so is taken over by another type that can", async () => {
  const { world, stage } = await foundAndKept(true);
  const [{ kind }] = [...world.things.values()] as [Thing];
  const Other = Resource<{ readonly thing: string }, { readonly value?: unknown }>(newKind(), {
    create: ({ id }) => ({ thing: `${id} anew` }),
    read: ({ output }) => ({ thing: Object(output).thing }),
    update: ({ output }) => output,
    movesFrom: (former) => former === kind,
  });
  await stage.up(() => Other("b", { value: 1 }, { aliases: ["a"] }));
  expect(world.names).toEqual(["a#1"]);
});
