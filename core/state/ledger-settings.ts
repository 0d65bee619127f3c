import type { Clock, ProcessIdentity } from "../base/index.js";
import type { EventBus, StateKey, StateStore } from "../contract/index.js";
import type { CheckpointLimits } from "./checkpoint/checkpoint.js";
import type { Owner } from "./journal/entry.js";
import type { Ledger } from "./ledger.js";
import type { RecoveryCipher } from "./recovery/recovery-file.js";
import type { AcquireSettings } from "./session/acquire-session.js";

/** What a ledger is opened with. */
export interface LedgerSettings {
  readonly store: StateStore;
  readonly app: string;
  readonly stage: string;
  readonly rootDir: string;
  /** False: nothing is ever written, and no owner is waited for. */
  readonly writes: boolean;
  readonly command: string;
  readonly version: string;
  readonly here: ProcessIdentity;
  readonly owner: Owner;
  readonly lockTimeout: number;
  readonly ttl: number;
  readonly keep: number;
  readonly histories: number;
  readonly limits?: CheckpointLimits;
  readonly clock?: Clock;
  readonly events: EventBus;
  readonly signal: AbortSignal;
  /** As {@link AcquireSettings.leftBehind}. */
  readonly leftBehind?: AcquireSettings["leftBehind"];
  /** As {@link LedgerLocation.seal}. */
  readonly seal?: StateKey;
  /** Called when the state is loaded, before anything is written. */
  loaded?(ledger: Ledger): Promise<void>;
  /** What has to be awaited before something is written; undefined: nothing. */
  preflight?(): Promise<void> | undefined;
  /** Keeps what a recovery file says from other eyes. */
  readonly recoveryCipher?: RecoveryCipher;
  /** Called once, when nothing can be written any more. */
  broken(error: unknown): void;
}
