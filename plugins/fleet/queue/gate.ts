/** Lets work run at once, except for work that has to run alone. */
import { withResolvers } from "../../../core/base/index.js";

export class Gate {
  #running = 0;
  #isAlone = false;
  #changed = withResolvers<void>();
  #waitingAlone = 0;

  /** @param alone true if nothing else may run meanwhile */
  async run<T>(alone: boolean, work: () => Promise<T>): Promise<T> {
    if (alone) this.#waitingAlone++;
    // Work that may run with others gives way to work that waits to run alone.
    while (alone ? this.#running > 0 : this.#isAlone || this.#waitingAlone > 0) await this.#changed.promise;
    if (alone) this.#waitingAlone--;
    this.#isAlone = alone;
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#isAlone = false;
      this.#changed.resolve();
      this.#changed = withResolvers();
    }
  }
}
