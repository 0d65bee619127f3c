import { expect, test } from "vitest";
import { sessionSettings } from "../../core/open-state.js";
import { restore } from "../../core/state/restore.js";
import { closedApp } from "../helpers/closed-app.ts";
import { secretStage } from "../helpers/secret-stage.ts";
import { World } from "../helpers/world.ts";
import { all, bodyOf, keys, linesOf, newestIn, rewrite, textOf } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/** `proveCopy` takes a copy without a seal, unasked, where the present state has none: an emptied one has none. */
test("a copy without a seal is not restored unasked by whoever has the key, where somebody has emptied the state", async () => {
  const world = new World();
  const Thing = world.type();
  const stage = secretStage();
  const { store } = stage;
  await stage.up(() => Thing("a", {}));
  const history = await newestIn(store, keys.histories);
  await rewrite(store, history, (body) => {
    body.records.push({ ...body.records[0], uid: "u-forged", key: "forged" });
    body.mac = undefined;
    body.format = 1;
  });
  const [first = ""] = linesOf(await store.get(keys.entry(1)));
  for await (const key of store.list(keys.root)) if (key !== history) await store.delete(key);
  await store.set(keys.entry(1), textOf({ ...bodyOf(first), close: { outcome: "done", summary: {} } }));
  const before = await all(store);

  const settings = sessionSettings(await closedApp(stage), store);
  expect(told(await failureOf(restore(settings, Number(history.slice(-12)))))).toMatch(
    /^EngineError STATE_FORGED .*history/,
  );
  expect(await all(store)).toEqual(before);
});
