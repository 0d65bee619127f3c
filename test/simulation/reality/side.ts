/** What is asked of reality and of the simulation alike. */
import type { Seen } from "../../faults/seen.js";

/** What there is at one moment. */
export interface Left extends Seen {
  /** Keys of the store. */
  readonly keys: readonly string[];
}

/** A run of the program that comes next, to its end. */
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
