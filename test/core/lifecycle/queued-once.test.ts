import { expect, test } from "vitest";
import { appOf } from "../../../core/run/index.js";
import { recorder } from "../../helpers/apps/apps.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

test("an interrupted update that finds nothing to adopt is queued once, and waits no more when it has ended", async () => {
  const world = new World();
  const Thing = world.type({ read: true });
  const stage = new Stage();
  await stage.up(() => Thing("a", { value: 1 }));
  world.fails("update a");
  await stage.failures(() => Thing("a", { value: 2 }));
  world.calm();
  world.things.clear();
  world.on("update a", () => ({ thing: "a#1", value: 3 }));
  const observer = recorder();
  const app = await stage.open({ plugins: [observer.plugin] });
  await app.run(() => Thing("a", { value: 3 }, { adopt: true }));
  expect(appOf(app).run.admissions.queued).toBe(0);
  expect(observer.events.filter(({ type }) => type === "resource:queued")).toHaveLength(1);
  await app.finalize();
});
