import type { LedgerKeys } from "./keys.js";
import type { StateStore } from "./store.js";

/** Where the ledger of a stage is. */
export interface LedgerPlace {
  readonly store: StateStore;
  readonly keys: LedgerKeys;
  readonly app: string;
  readonly stage: string;
  /** Checkpoints to keep: this many newer ones prove that a load was overtaken. */
  readonly keep: number;
}
