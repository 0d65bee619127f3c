import type { StateKey, StateStore } from "../contract/index.js";
import type { LedgerKeys } from "./keys.js";

/** Where the ledger of a stage is. */
export interface LedgerLocation {
  readonly store: StateStore;
  readonly keys: LedgerKeys;
  readonly app: string;
  readonly stage: string;
  /** Checkpoints to keep: this many newer ones prove that a load was overtaken. */
  readonly keep: number;
  /** Proves what is loaded. Without one it is taken as it is, and what is sealed can only be looked at. */
  readonly seal?: StateKey;
  /** Nothing follows from what is loaded: this machine is to remember it only if it fits what it remembers. */
  readonly looks?: true;
  /** Tells what cannot be proven. */
  warn?(code: string, message: string): void;
}
