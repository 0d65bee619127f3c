import type { SealState } from "../seal/sealer.js";
import type { Entry } from "./entry.js";
import { advance, type Head } from "./head.js";

/** How far the journal is folded, and how much of that a load would read beside the checkpoint that it begins with. */
export interface JournalCursor {
  readonly head: Head;
  /** The newest checkpoint, 0 for none. */
  readonly base: number;
  /** Characters of that checkpoint, and of the entries after it. */
  readonly baseSize: number;
  /** Resources in that checkpoint. */
  readonly baseCount: number;
  readonly tailSize: number;
  /** Resources that the run saw when this was written. */
  readonly count: number;
  /** What may be written next. */
  readonly seal: SealState;
}

/** A line of one's own, written. */
export interface Written {
  readonly entry: Entry;
  readonly digest: string;
  readonly text: string;
  /** As it was written; what comes next is written in the same way. */
  readonly by: SealState;
}

/** @param count resources that the run sees by now */
export function folded(at: JournalCursor, { entry, digest, text, by: seal }: Written, count: number): JournalCursor {
  const { base, baseSize, baseCount, tailSize } = at;
  const head = advance(at.head, { entry, digest });
  return { head, base, baseSize, baseCount, tailSize: tailSize + text.length, count, seal };
}

/** A checkpoint of the newest entry, with so many resources, was made. */
export function rebased({ head, seal }: JournalCursor, text: string, count: number): JournalCursor {
  return { head, base: head.seq, baseSize: text.length, baseCount: count, tailSize: 0, count, seal };
}
