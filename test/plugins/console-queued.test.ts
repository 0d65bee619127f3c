import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { Resource } from "../../core/resource/index.js";
import { Activity } from "../../plugins/console-output/activity.js";
import { createEngine } from "../../plugins/engine/index.js";
import { newKind } from "../helpers/apps/world.ts";
import { gate } from "../helpers/time/gate.ts";

test("of 60 creates at 8 at once, 52 are seen to wait, and none when all is done", async () => {
  const full = gate();
  const open = gate();
  let begun = 0;
  const Slow = Resource<object, object>(newKind(), {
    async create() {
      if (++begun === 8) full.open();
      await open.opened;
      return {};
    },
    delete: () => {},
  });
  let activity: Activity | undefined;
  const watch = definePlugin({
    name: "watch",
    apply({ events, control }) {
      activity = new Activity(events, control.status);
    },
  });
  const engine = createEngine({ plugins: [watch] });
  const app = await engine("app", { stage: "dev", argv: [], env: {}, stateStore: memoryStore(), concurrency: 8 });
  const all = app.run(() => Promise.all(Array.from({ length: 60 }, (_, n) => Slow(`r${n}`, {}))));
  await full.opened;
  expect(activity?.snapshot()).toMatchObject({ queued: 52 });
  expect(activity?.snapshot().running).toHaveLength(8);
  open.open();
  await all;
  expect(activity?.snapshot()).toMatchObject({ queued: 0, running: [], done: 60 });
  await app.finalize();
});
