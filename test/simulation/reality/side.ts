/** The common interface of reality and simulation. */
import type { Seen } from "../../faults/seen.js";

/** The observation at one moment. */
export interface Left extends Seen {
  /** Keys of the store. */
  readonly keys: readonly string[];
}

/** A run of the following program, to its end. */
export interface Next {
  readonly points: readonly string[];
  readonly errors: readonly string[];
  readonly left: Left;
}

export interface Killed {
  /** Name of the point. */
  readonly point: string;
  readonly left: Left;
}
