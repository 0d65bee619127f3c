/**
 * The queue of tasks that wait for room to write an intent, so that a program may declare any number of resources at once. Twice
 * as many as can run have an intent recorded and wait for a slot; the others wait with their props alone. Each intent that is
 * recorded without need is a create that the run after a kill takes for one that had perhaps begun.
 */

import { withResolvers } from "../base/index.js";

/**
 * For each handler that may run at once, so many intents are recorded ahead of those that run. The next ones are written while
 * these run, half of them at a time: less, and a slow store keeps quick handlers waiting more than it has to.
 */
const AHEAD = 2;

/** Tasks that are admitted together, so that their intents leave in one append. */
interface Group {
  readonly admitted: Promise<void>;
  call(): void;
  size: number;
}

export class AdmissionQueue {
  /** Number of tasks whose handlers have not begun, admitted or not. */
  queued = 0;
  /** Number of admitted tasks whose handlers have not begun. */
  #inside = 0;
  readonly #most: number;
  /** First in, first out. */
  readonly #waiting: Group[] = [];

  /** @param concurrency how many handlers may run at once */
  constructor(concurrency: number) {
    this.#most = AHEAD * concurrency;
  }

  /** Undefined where there is room at once. */
  admit(): Promise<void> | undefined {
    if (this.#inside < this.#most && this.#waiting.length === 0) {
      this.#inside++;
      return undefined;
    }
    const group = this.#last();
    group.size++;
    return group.admitted;
  }

  /** The handler of an admitted task has begun, or never will. */
  leave(): void {
    this.#inside--;
    if (this.#inside > this.#most / 2) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#inside += next.size;
    next.call();
  }

  #last(): Group {
    const last = this.#waiting.at(-1);
    if (last && last.size < this.#most / 2) return last;
    const { promise: admitted, resolve: call } = withResolvers<void>();
    const group = { admitted, call, size: 0 };
    this.#waiting.push(group);
    return group;
  }
}
