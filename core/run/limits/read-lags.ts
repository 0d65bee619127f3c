/** Until when a `read` that finds nothing is not believed, by uid: what was created may not be found at once. */

import { monotonicNow } from "../../base/index.js";

export class ReadLags {
  /** When the last create has ended, or when `read` first found nothing of a resource that this run has not created. */
  readonly #since = new Map<string, number>();

  /** A create has ended, whatever came of it. */
  created(uid: string): void {
    this.#since.set(uid, monotonicNow());
  }

  /**
   * When the window of a resource ends, of which `read` has just found nothing. This run cannot know how long ago an earlier one
   * has created it: there, the window begins now.
   *
   * @param lag milliseconds
   */
  endOf(uid: string, lag: number): number {
    const since = this.#since.get(uid) ?? monotonicNow();
    this.#since.set(uid, since);
    return since + lag;
  }
}
