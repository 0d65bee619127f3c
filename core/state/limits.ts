/** When the journal has grown so long that a checkpoint is cheaper to read. */
import type { Standing } from "./standing.js";

/** Sizes are in characters. */
export interface CheckpointLimits {
  /** The most entries that a load should have to read. */
  readonly entries: number;
  /** The longest tail that a load should have to read; a quarter of the checkpoint where that is more. */
  readonly tail: number;
  /** A state of at most this size gets a checkpoint at the end of every run that changed it. */
  readonly small: number;
}

/** Characters that a resource takes at least in a checkpoint, as a rule. */
const TYPICAL = 500;

export const CHECKPOINT_LIMITS: CheckpointLimits = { entries: 64, tail: 1_000_000, small: 1_000_000 };

export function isCheckpointDue({ head, base, baseSize, tailSize }: Standing, limits: CheckpointLimits): boolean {
  return head.seq - base > limits.entries || tailSize > Math.max(limits.tail, baseSize / 4);
}

/** Whether a checkpoint of so many resources would be small; one that was large may be, with most of them gone. */
export function isSmall({ baseSize, baseCount, tailSize }: Standing, count: number, limits: CheckpointLimits): boolean {
  const each = baseCount === 0 ? TYPICAL : Math.max(TYPICAL, baseSize / baseCount);
  return Math.min(baseSize + tailSize, count * each) <= limits.small;
}
