import { expect, test } from "vitest";
import { sessionSettings } from "../../core/engine/index.js";
import { restore } from "../../plugins/admin/operations/restore.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import { all, firstBody, keys, newestIn, rewrite, textOf } from "./forging.ts";
import { failureOf, told } from "./runs.ts";
import { sealedStage } from "./stages.ts";

/** `proveCopy` accepts an unsealed copy without asking if the present state has no seal; an emptied state has none. */
test("a run with the key does not restore a copy without a seal unasked after an attacker emptied the state", async () => {
  const { stage, store } = await sealedStage();
  const history = await newestIn(store, keys.histories);
  await rewrite(store, history, (body) => {
    body.records.push({ ...body.records[0], uid: "u-forged", key: "forged" });
    body.mac = undefined;
    body.format = 1;
  });
  const first = await firstBody(store);
  for await (const key of store.list(keys.root)) if (key !== history) await store.deleteMany([key]);
  await store.set(keys.entry(1), textOf({ ...first, close: { outcome: "done", summary: {} } }));
  const before = await all(store);

  const settings = sessionSettings(await closedApp(stage), store);
  expect(told(await failureOf(restore(settings, Number(history.slice(-12)))))).toMatch(
    /^EngineError STATE_FORGED .*history/,
  );
  expect(await all(store)).toEqual(before);
});
