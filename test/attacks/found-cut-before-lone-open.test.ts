import { expect, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import type { Stage } from "../helpers/apps/stage.ts";
import { keys, linesOf, newestIn } from "./forging.ts";
import { changeData, placedStore, refusalOf, sealedStage, sessionOn } from "./stages.ts";

/** A session that is killed after so many changes of data. */
async function killed(stage: Stage, store: StateStore, changes: number): Promise<void> {
  const ledger = await sessionOn(stage, { store });
  await changeData(
    ledger,
    Array.from({ length: changes }, (_, value) => value),
  );
  await ledger.letGo();
}

/**
 * The `open` of a session that took over may name any line before it. The number of its entry is larger than any that a
 * machine has seen, so if it is the last entry, no check notices that lines before it were cut off.
 */
test("a state that went back is reported as such if the last entry is an open of a session that took over", async () => {
  const store = placedStore();
  const { world, stage, program } = await sealedStage({ stateStore: store, strictState: true });
  await killed(stage, store, 4);
  // This machine sees all four.
  const app = await stage.open({ phase: "read" });
  await app[Symbol.asyncDispose]();
  const cut = await newestIn(store, keys.entries);
  const { location } = placedStore();
  const elsewhere = secretStage({ stateStore: { ...store, location } });
  await killed(elsewhere, store, 1);

  const [first = ""] = linesOf(await store.get(cut));
  await store.set(cut, first);
  await store.deleteMany([await newestIn(store, keys.entries)]);
  const refused = await refusalOf(world, () => stage.up(program));
  expect(refused).toMatch(/^EngineError STATE_(WENT_BACK|FORGED|CORRUPT) /);
});
