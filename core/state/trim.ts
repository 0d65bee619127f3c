/** Takes away what no load can need any more. */
import type { Head } from "./head.js";
import { type LedgerPlace, listSeqs } from "./load.js";

/**
 * With at least `keep` checkpoints, the ones before the `keep`-th newest go, then the entries up to it; never beyond
 * what this session has folded, and never a guard. Checkpoints go first, and entries only once they are gone: a load
 * that misses an entry then also misses its checkpoint, and begins again.
 */
export async function trim(place: LedgerPlace, folded: Head): Promise<void> {
  const { store, keys, keep } = place;
  const checkpoints = await listSeqs(store, keys.checkpoints);
  const oldest = checkpoints.at(-keep);
  if (oldest === undefined) return;
  const old = checkpoints.filter((seq) => seq < Math.min(oldest, folded.seq));
  if (old.length > 0) await store.deleteMany(old.map(keys.checkpoint));
  const limit = Math.min(oldest, folded.seq);
  const guards = new Set(folded.guards);
  const entries = (await listSeqs(store, keys.entries)).filter((seq) => seq <= limit && !guards.has(seq));
  if (entries.length > 0) await store.deleteMany(entries.map(keys.entry));
}

/** Keeps a copy of a checkpoint for people, and the newest `keep` of such copies. Nothing is ever loaded from them. */
export async function remember(place: LedgerPlace, seq: number, text: string, keep: number): Promise<void> {
  const { store, keys } = place;
  if (keep === 0) return;
  await store.create(keys.history(seq), text, { sync: false });
  const old = (await listSeqs(store, keys.histories)).slice(0, -keep);
  if (old.length > 0) await store.deleteMany(old.map(keys.history));
}
