import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { sessionSettings } from "../../core/open-state.js";
import { placeOf } from "../../core/state/amend.js";
import { Ledger } from "../../core/state/ledger.js";
import { memoryStore } from "../../core/state/memory.js";
import type { StateStore } from "../../core/state/store.js";
import { closedApp } from "../helpers/closed-app.ts";
import { secretStage } from "../helpers/secret-stage.ts";
import type { Stage } from "../helpers/stage.ts";
import { World } from "../helpers/world.ts";
import { keys, linesOf, newestIn } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

/** A session that is killed after so many changes of data. */
async function killed(stage: Stage, store: StateStore, changes: number): Promise<void> {
  const app = await closedApp(stage);
  const { rootDir } = app.options;
  const settings = { ...placeOf(sessionSettings(app, store)), rootDir, writes: true, command: "up", broken() {} };
  const ledger = await Ledger.open(settings);
  for (let value = 0; value < changes; value++) {
    await ledger.commit([{ op: "data", owner: "/", key: "killed", value }], "now");
  }
  await ledger.letGo();
}

/**
 * The `open` of a session that took over may name any line before it, and the number of its entry is larger than all that a
 * machine has seen: with it at the end, what was cut off before it is missed by nobody.
 */
test("a state that went back is told as such where the last entry is an open of a session that took over", async () => {
  const world = new World();
  const Thing = world.type();
  const store = { ...memoryStore(), location: `memory ${randomUUID()}` };
  const stage = secretStage({ stateStore: store, strictState: true });
  await stage.up(() => Thing("a", {}));
  await killed(stage, store, 4);
  // This machine sees all four.
  const app = await stage.open({ phase: "read" });
  await app[Symbol.asyncDispose]();
  const cut = await newestIn(store, keys.entries);
  const elsewhere = secretStage({ stateStore: { ...store, location: `elsewhere ${randomUUID()}` } });
  await killed(elsewhere, store, 1);

  const [first = ""] = linesOf(await store.get(cut));
  await store.set(cut, first);
  await store.delete(await newestIn(store, keys.entries));
  world.news();
  const refused = told(await failureOf(stage.up(() => Thing("a", {}))));
  expect(world.news()).toEqual([]);
  expect(refused).toMatch(/^EngineError STATE_(WENT_BACK|FORGED|CORRUPT) /);
});
