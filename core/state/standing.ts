import type { Entry } from "./entry.js";
import { advance, type Head } from "./head.js";

/** How far the journal is folded, and how much of that a load would read beside the checkpoint that it begins with. */
export interface Standing {
  readonly head: Head;
  /** The newest checkpoint, 0 for none. */
  readonly base: number;
  /** Characters of that checkpoint, and of the entries after it. */
  readonly baseSize: number;
  readonly tailSize: number;
}

/** A line of one's own, written. */
export interface Written {
  readonly entry: Entry;
  readonly digest: string;
  readonly text: string;
}

export function folded(at: Standing, { entry, digest, text }: Written): Standing {
  return { ...at, head: advance(at.head, { entry, digest }), tailSize: at.tailSize + text.length };
}

/** A checkpoint of the newest entry was made. */
export function rebased(at: Standing, text: string): Standing {
  return { ...at, base: at.head.seq, baseSize: text.length, tailSize: 0 };
}
