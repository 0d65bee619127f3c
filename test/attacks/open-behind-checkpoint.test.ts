/**
 * A session takes over from one that seems dead but ends with a checkpoint. The `open` of the new session names an
 * earlier line of the entry that the checkpoint stands for. Only that line shows whether the `open` belongs there.
 */
import { expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { NOTHING_DONE } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { sessionSettings } from "../../core/engine/index.js";
import { load, locationOf } from "../../core/state/index.js";
import { closedApp } from "../helpers/apps/closed-app.ts";
import type { Stage } from "../helpers/apps/stage.ts";
import { rejectedCode } from "../helpers/checks/codes.ts";
import { gatedStore } from "../helpers/stores/gated-store.ts";
import { ownerOf, testLedgers } from "../helpers/stores/ledgers.ts";
import { storeAround } from "../helpers/stores/store-around.ts";
import { all, keys, newestIn, put } from "./forging.ts";
import { changeData, sealedStage, sessionOn } from "./stages.ts";

const ledgers = testLedgers();

async function changesOf(stage: Stage, store: StateStore, values: readonly unknown[]): Promise<void> {
  const ledger = await sessionOn(stage, { store });
  await changeData(ledger, values);
  await ledger.close("done", NOTHING_DONE);
}

/** The contents of the store before both sessions, and the key of the entry that the first of them wrote. */
async function takenOver() {
  const { stage, store } = await sealedStage();
  const before = await all(store);
  const slow = await sessionOn(stage, { store, owner: ownerOf(ledgers.dead) });
  await changeData(slow, [1, 2]);
  const entry = await newestIn(store, keys.entries);
  const gated = gatedStore(store);
  const next = await sessionOn(stage, { store: gated.store });
  gated.hold(/^create journal/);
  const taking = next.commit([{ op: "data", owner: "/", key: "own", value: true }], "now");
  const open = await gated.reached(/^create journal/);
  await changeData(slow, [3]);
  await slow.close("done", NOTHING_DONE);
  gated.hold(undefined);
  await open.answer();
  await taking;
  await next.letGo();
  return { stage, store, before, entry };
}
const seen = async (stage: Stage, store: StateStore) => {
  const { contents } = await load(locationOf(sessionSettings(await closedApp(stage), store)));
  return Object.fromEntries(contents.data.get("/") ?? []);
};

test("is proven by that entry, and nothing of either session is lost", async () => {
  const { stage, store } = await takenOver();
  expect(await seen(stage, store)).toEqual({ k: "3", own: true });
});

test("is refused where the checkpoint and its entry are those of another session of that number", async () => {
  const { stage, store, before, entry } = await takenOver();
  const fork = memoryStore();
  await put(fork, before);
  await changesOf(stage, fork, [4]);
  const checkpoint = await newestIn(fork, keys.checkpoints);
  expect(await newestIn(fork, keys.entries)).toBe(entry);
  for (const key of [entry, checkpoint]) await store.set(key, (await fork.get(key)) ?? "");
  expect(await rejectedCode(seen(stage, store))).toEqual([
    "STATE_FORGED",
    expect.stringContaining("its session began after a line that is not in the entry before it"),
  ]);
});

test("does not cast doubt on a state that others have trimmed up to there while it was read: it is read again", async () => {
  const { stage, store, entry } = await takenOver();
  let isLate = false;
  const slow = storeAround(store, async (call, act) => {
    if (call.op === "get" && call.key === entry && !isLate) {
      isLate = true;
      for (const value of [5, 6, 7, 8]) await changesOf(stage, store, [value]);
      expect(await store.get(entry)).toBeUndefined();
    }
    return act();
  });
  expect(await seen(stage, slow)).toEqual({ k: "8", own: true });
  expect(isLate).toBe(true);
});
