/** The ledger of the stage app/dev, written and read by hand. */

import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import {
  Contents,
  emptyHead,
  type LedgerLocation,
  type Loaded,
  ledgerKeys,
  load,
  writeCheckpoint,
} from "../../../core/state/index.js";
import { chained, genesis, openRecord, ops } from "../terminal/lines.js";
import { snapshot } from "./store-contents.js";

export const keys = ledgerKeys("app", "dev");

/** A store without `append`. */
export const entries = () => memoryStore({ append: false });

export function loadFrom(store: StateStore, place: Partial<LedgerLocation> = {}): Promise<Loaded> {
  return load({ store, keys, app: "app", stage: "dev", keep: 3, ...place });
}

/** The keys of all records. */
export function recorded({ contents }: Pick<Loaded, "contents">): string[] {
  return [...contents.records.values()].map(({ key }) => key);
}

/** Makes a journal of so many entries by create, each with one record named after its number. */
export async function fill(store: StateStore, count: number): Promise<void> {
  const more = Array.from({ length: count - 1 }, (_, index) => ({
    seq: index + 2,
    session: "s",
    ...ops(`${index + 2}`),
  }));
  const lines = chained({ seq: 1, session: "s", open: openRecord({ genesis }), ...ops("1") }, ...more);
  for (const { entry, text } of lines) await store.create(keys.entry(entry.seq), text);
}

/** Makes a checkpoint that holds nothing. */
export async function checkpointAt(store: StateStore, seq: number): Promise<void> {
  const head = { ...emptyHead("app", "dev"), lineage: "lineage", seq, digest: `at ${seq}` };
  await store.create(keys.checkpoint(seq), writeCheckpoint(head, new Contents(), { version: "1.2.3" }));
}

/** The keys without the stage and the zeros, e.g. `journal/1`, sorted. */
export async function keysIn(store: StateStore): Promise<string[]> {
  return [...(await snapshot(store)).keys()]
    .sort()
    .map((key) => key.slice(keys.root.length).replace(/\/0+(?=\d)/, "/"));
}
