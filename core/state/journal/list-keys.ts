/** Which keys the ledger of a stage has. */
import { seqOf } from "../keys.js";
import type { LedgerLocation } from "../ledger-location.js";

/** The numbers of what is there, oldest first. */
export interface KeyList {
  readonly checkpoints: readonly number[];
  readonly entries: readonly number[];
  readonly histories: readonly number[];
}

/** Lists the whole stage at once: that takes no more requests than a part of it. */
export async function listKeys({ store, keys }: Pick<LedgerLocation, "store" | "keys">): Promise<KeyList> {
  const seen: string[] = [];
  for await (const key of store.list(keys.root)) seen.push(key);
  return {
    checkpoints: seqsOf(seen, keys.checkpoints),
    entries: seqsOf(seen, keys.entries),
    histories: seqsOf(seen, keys.histories),
  };
}

/** The checkpoints that the store lists, oldest first. */
export async function listCheckpoints({
  store,
  keys,
}: Pick<LedgerLocation, "store" | "keys">): Promise<readonly number[]> {
  const seen: string[] = [];
  for await (const key of store.list(keys.checkpoints)) seen.push(key);
  return seqsOf(seen, keys.checkpoints);
}

/** True once so many checkpoints newer than `base` are there that entries after it may have been trimmed. */
export function isOvertaken({ keep }: Pick<LedgerLocation, "keep">, { checkpoints }: KeyList, base: number): boolean {
  return checkpoints.filter((seq) => seq > base).length >= keep;
}

function seqsOf(keys: readonly string[], prefix: string): number[] {
  const seqs = keys.flatMap((key) => (key.startsWith(prefix) ? (seqOf(key) ?? []) : []));
  return seqs.sort((a, b) => a - b);
}
