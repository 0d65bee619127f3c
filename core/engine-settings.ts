import { ownVersion } from "./own-package.js";
import { CHECKPOINT_LIMITS, type CheckpointLimits } from "./state/limits.js";

/** What an embedding tool or a test may set beside the options; see createEngine. */
export interface EngineSettings {
  /** Milliseconds of silence after which the owner of a session counts as dead. */
  readonly leaseTtl: number;
  /** Checkpoints to keep. */
  readonly checkpoints: number;
  /** Closed checkpoints to keep for people. */
  readonly histories: number;
  /** When a checkpoint is made. */
  readonly limits: CheckpointLimits;
  readonly version: string;
}

const DEFAULTS: Omit<EngineSettings, "version"> = {
  leaseTtl: 20_000,
  checkpoints: 3,
  histories: 10,
  limits: CHECKPOINT_LIMITS,
};

export function completeSettings(settings: Partial<EngineSettings>): EngineSettings {
  return { ...DEFAULTS, version: ownVersion(), ...settings };
}
