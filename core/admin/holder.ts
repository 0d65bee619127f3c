/** Who is at work on a stage, as far as its state and this machine can tell. */
import { fate, type ProcessIdentity } from "../base/index.js";
import { type Head, type LedgerPlace, type Owner, ttlOf } from "../state/index.js";

export interface Holder {
  readonly session: string;
  readonly owner: Owner;
  /** What the session is for, e.g. "up". */
  readonly command: string;
  /** Version of the library that it writes with. */
  readonly version: string;
  /** What this machine knows of its process; "unknown" of one that runs elsewhere. */
  readonly process: "runs" | "stopped" | "gone" | "unknown";
  /** How often it has shown that it lives; 0 where it has just begun, or its lease is gone. */
  readonly beats: number;
  /** Milliseconds of silence after which it counts as dead. */
  readonly ttl: number;
}

/** Undefined where no session is open. */
export async function holderOf(
  { store, keys }: LedgerPlace,
  { open }: Head,
  here: ProcessIdentity,
): Promise<Holder | undefined> {
  if (!open) return undefined;
  const { session, record } = open;
  const { owner, command, version } = record;
  const beats = Number((await store.get(keys.lease(session))) ?? 0);
  return { session, owner, command, version, process: fate(owner, here), beats, ttl: ttlOf(record) };
}
