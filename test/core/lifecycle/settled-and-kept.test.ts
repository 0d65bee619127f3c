import { expect, test } from "vitest";
import type { EnginePlugin } from "../../../core/contract/plugin/plugin.js";
import { comparePositions } from "../../../core/order/positions.js";
import { recordOf, Stage } from "../../helpers/stage.js";
import { World } from "../../helpers/world.js";

test("what was found when its interrupted create was to be deleted, and is declared again, is deleted after what uses it", async () => {
  const world = new World();
  const Thing = world.type({ read: true });
  const stage = new Stage();
  world.after("create a", () => {
    throw new Error("lost");
  });
  await stage.failures(() => Thing("a"));
  world.after("create a", () => {});
  // Found, and not deleted: the run is refused that.
  const refusing: EnginePlugin = {
    name: "refusing",
    apply: ({ hooks }) => hooks.beforeDelete.tap("refusing", ({ veto }) => veto("not now")),
  };
  await stage.failures(() => {}, { plugins: [refusing] });
  world.news();
  const app = await stage.up(async () => {
    const { thing } = await Thing("a");
    await Thing("b", { value: thing });
  });
  const [a, b] = [recordOf(app, "a"), recordOf(app, "b")];
  expect(a?.done).toBeDefined();
  expect(comparePositions(b?.ready ?? [], a?.done ?? [])).toBeGreaterThan(0);
  world.news();
  await stage.up();
  expect(world.news()).toEqual(["delete b", "delete a"]);
});
