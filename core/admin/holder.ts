/** Who is at work on a stage, as far as its state and this machine can tell. */
import type { ProcessIdentity, StageHolder } from "../base/index.js";
import { type Head, type LedgerPlace, stageHolder } from "../state/index.js";

export interface Holder extends StageHolder {
  /** How often it has shown that it lives; 0 where it has just begun, or its lease is gone. */
  readonly beats: number;
}

/** Undefined where no session is open. */
export async function holderOf(
  { store, keys }: LedgerPlace,
  { open }: Head,
  here: ProcessIdentity,
): Promise<Holder | undefined> {
  if (!open) return undefined;
  const beats = Number((await store.get(keys.lease(open.session))) ?? 0);
  return { ...stageHolder(open, here), beats };
}
