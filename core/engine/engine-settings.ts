import { EngineError, ownVersion } from "../base/index.js";
import type { ScopeMethods } from "../contract/index.js";
import type { Planning } from "../run/index.js";
import { CHECKPOINT_LIMITS, type CheckpointLimits, DEFAULT_TTL, isTtl, LONGEST_TTL } from "../state/index.js";

/** What an embedding tool or a test may set beside the options; see createEngine. */
export interface EngineSettings {
  /** Milliseconds of silence after which the owner of a session counts as dead; an hour at most. */
  readonly leaseTtl: number;
  /** Checkpoints to keep. */
  readonly checkpoints: number;
  /** Closed checkpoints to keep for people. */
  readonly histories: number;
  /** When a checkpoint is made. */
  readonly limits: CheckpointLimits;
  readonly version: string;
  /** Makes plans, and keeps runs to saved ones. Without it the engine refuses the options `plan` and `planFile`. */
  readonly planning?: Planning;
  /** What methods of a scope do that core leaves to plugins. */
  readonly methods?: Partial<ScopeMethods>;
  /** What the sessions of its apps are recorded as. Default: the phase of the app. */
  readonly command?: string;
}

const DEFAULTS: Omit<EngineSettings, "version"> = {
  leaseTtl: DEFAULT_TTL,
  checkpoints: 3,
  histories: 10,
  limits: CHECKPOINT_LIMITS,
};

/** @throws EngineError `INVALID_OPTION` */
export function completeSettings(settings: Partial<EngineSettings>): EngineSettings {
  const complete: EngineSettings = {
    ...DEFAULTS,
    // Read with the first run: an import alone needs no file.
    get version() {
      return ownVersion();
    },
    ...settings,
  };
  const { leaseTtl } = complete;
  if (isTtl(leaseTtl)) return complete;
  throw new EngineError(
    "INVALID_OPTION",
    `Option "leaseTtl" must be a number of milliseconds above 0, ${LONGEST_TTL} at most; it is ${String(leaseTtl)}.`,
  );
}
