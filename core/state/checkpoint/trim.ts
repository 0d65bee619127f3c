/** Takes away what no load can need any more. */
import type { Head } from "../journal/head.js";
import { type KeyList, listKeys } from "../journal/list-keys.js";
import type { LedgerLocation } from "../ledger-location.js";

/**
 * With at least `keep` checkpoints, the ones before the `keep`-th newest go, then the entries up to it; never beyond
 * what this session has folded, and never a guard. Entries go once the checkpoints are gone: a load that misses an
 * entry then also misses its checkpoint, and begins again.
 */
export async function trim(location: LedgerLocation, folded: Head): Promise<KeyList> {
  const { store, keys, keep } = location;
  const seen = await listKeys(location);
  const oldest = seen.checkpoints.at(-keep);
  if (oldest === undefined) return seen;
  const limit = Math.min(oldest, folded.seq);
  const checkpoints = seen.checkpoints.filter((seq) => seq < limit);
  if (checkpoints.length > 0) await store.deleteMany(checkpoints.map(keys.checkpoint));
  const guards = new Set(folded.guards);
  const entries = seen.entries.filter((seq) => seq <= limit && !guards.has(seq));
  if (entries.length > 0) await store.deleteMany(entries.map(keys.entry));
  return seen;
}

export interface Memory {
  readonly seq: number;
  readonly text: string;
  /** The copies that are there. */
  readonly kept: readonly number[];
  readonly keep: number;
}

/** Keeps a copy of a checkpoint for people, and the newest `keep` of such copies. Nothing is ever loaded from them. */
export async function remember({ store, keys }: LedgerLocation, { seq, text, kept, keep }: Memory): Promise<void> {
  if (keep === 0) return;
  await store.create(keys.history(seq), text, { sync: false });
  const old = [...kept.filter((other) => other !== seq), seq].sort((a, b) => a - b).slice(0, -keep);
  if (old.length > 0) await store.deleteMany(old.map(keys.history));
}
