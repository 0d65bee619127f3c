/** When the journal has grown so long that a checkpoint is cheaper to read. */
import type { JournalCursor } from "../journal/journal-cursor.js";

/** Sizes are in characters. */
export interface CheckpointLimits {
  /** The most entries that a load should have to read. */
  readonly entries: number;
  /** The longest tail that a load should have to read; a quarter of the checkpoint where that is more. */
  readonly tail: number;
  /**
   * As many times a state's own size and number of resources may be written on top of its checkpoint before a run makes
   * another one in its midst. Default: the limits above are all that counts.
   */
  readonly patience?: number;
  /** A state of at most this size gets a checkpoint at the end of every run that changed it. */
  readonly small: number;
}

/** Characters that a resource takes at least in a checkpoint, as a rule. */
const TYPICAL = 500;

export const CHECKPOINT_LIMITS: CheckpointLimits = {
  entries: 64,
  tail: 1_000_000,
  patience: 8,
  small: 1_000_000,
};

/** At the end of a run: whoever loads the state next should not have to read more than that. */
export function isCheckpointDue({ head, base, baseSize, tailSize }: JournalCursor, limits: CheckpointLimits): boolean {
  return head.seq - base > limits.entries || tailSize > Math.max(limits.tail, baseSize / 4);
}

/**
 * In the midst of a run, where only a load after a crash would read the tail: so much has been written on top of the
 * state that is there that what checkpoints take is a small part of it, however large the state is.
 */
export function isTailLong(at: JournalCursor, limits: CheckpointLimits): boolean {
  const { head, base, baseSize, tailSize, count } = at;
  const { entries, tail, patience = 0 } = limits;
  if (!isCheckpointDue(at, limits)) return false;
  const size = Math.max(baseSize, count * sizeOfEach(at));
  return head.seq - base > Math.max(entries, patience * count) || tailSize > Math.max(tail, patience * size);
}

/** Whether a checkpoint of so many resources would be small; one that was large may be, with most of them gone. */
export function isSmall(
  { baseSize, baseCount, tailSize }: JournalCursor,
  count: number,
  limits: CheckpointLimits,
): boolean {
  return Math.min(baseSize + tailSize, count * sizeOfEach({ baseSize, baseCount })) <= limits.small;
}

function sizeOfEach({ baseSize, baseCount }: Pick<JournalCursor, "baseSize" | "baseCount">): number {
  return baseCount === 0 ? TYPICAL : Math.max(TYPICAL, baseSize / baseCount);
}
