/** Decides when a fleet run has too many failures. */
import type { Tally } from "./tally.js";
import { amountOf, fractionOf } from "./waves.js";

/** A percentage counts from this number of finished stages on. */
const ENOUGH = 50;

export class FailureLimit {
  readonly #most: number | string;
  readonly #tally: Tally;
  /** Failures and finished stages that do not count. */
  #forgiven = { failed: 0, finished: 0 };

  constructor(most: number | string, tally: Tally) {
    this.#most = most;
    this.#tally = tally;
  }

  /** Counts only failures from now on. */
  forgive(): void {
    const { failed, finished } = this.#tally;
    this.#forgiven = { failed, finished };
  }

  /**
   * Returns the reason if there are too many failures.
   *
   * @param isAtEnd true if a wave has ended, so that a percentage counts however few stages have finished
   */
  exceeded(isAtEnd: boolean): string | undefined {
    const failed = this.#tally.failed - this.#forgiven.failed;
    const finished = this.#tally.finished - this.#forgiven.finished;
    const counts = fractionOf(this.#most) === undefined || isAtEnd || finished >= ENOUGH;
    if (!counts || failed <= amountOf(this.#most, finished)) return undefined;
    return `${failed} of ${finished} stages failed, and maxFailures is ${this.#most}`;
  }
}
