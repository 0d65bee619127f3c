import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { keysOf, recordsOf, Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

/** Two runs of one stage that both loaded its state before either wrote. */
async function overlapping() {
  const world = new World();
  const Thing = world.type();
  const stateStore = memoryStore();
  const [one, two] = [new Stage({ stateStore }), new Stage({ stateStore })];
  await one.up(() => Thing("old", { value: 1 }));
  world.news();
  return { world, Thing, one, two };
}

test("a destroy stops where another run has added something since it looked, and takes that along the next time", async () => {
  const { world, Thing, one, two } = await overlapping();
  let other: Promise<unknown> | undefined;
  const late = definePlugin({
    name: "late",
    apply: ({ hooks }) =>
      hooks.beforeDelete.tapPromise("late", async () => {
        other ??= two.up(() => Promise.all([Thing("old", { value: 1 }), Thing("new")]));
        await other;
      }),
  });
  await expect(one.destroy({ plugins: [late] })).rejects.toMatchObject({ name: "RunFailedError" });
  await one.destroy();
  expect(world.names).toEqual([]);
});

describe("a run that another one has overtaken", () => {
  test.each<[string, number | undefined, string]>([
    ["does not delete what the other one has changed since it looked", 2, "update old"],
    ["does not delete twice what the other one has deleted", undefined, "delete old"],
  ])("%s", async (_what, value, call) => {
    const { world, Thing, one, two } = await overlapping();
    const declare = () => (value === undefined ? undefined : Thing("old", { value }));
    const first = await one.open();
    await two.up(declare);
    await expect(first.finalize()).rejects.toMatchObject({ errors: [{ code: "STATE_MOVED" }] });
    expect(world.calls).toEqual([call]);
    expect(recordsOf(await two.up(declare))).toHaveLength(value === undefined ? 0 : 1);
  });

  test("does not create what the other one has created", async () => {
    const { world, Thing, one, two } = await overlapping();
    const first = await one.open();
    await two.up(() => Promise.all([Thing("old", { value: 1 }), Thing("new")]));
    await expect(first.run(() => Thing("new"))).rejects.toMatchObject({ code: "STATE_MOVED" });
    await expect(first.finalize()).rejects.toThrow();
    expect(world.calls).toEqual(["create new"]);
  });

  test("goes on where the other one has touched nothing that it has read", async () => {
    const { world, Thing, one, two } = await overlapping();
    const first = await one.open();
    await two.up(() => Promise.all([Thing("old", { value: 1 }), Thing("new")]));
    await first.run(() => Promise.all([Thing("old", { value: 1 }), Thing("mine")]));
    await first.finalize();
    expect(world.calls).toEqual(["create new", "create mine"]);
    expect(one.heard("resource:retained")).toMatchObject([
      { id: "new", reason: expect.stringContaining("another run") },
    ]);
    expect(keysOf(first)).toEqual(["mine", "new", "old"]);
  });
});
