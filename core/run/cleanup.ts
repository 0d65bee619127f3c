/** Functions to run at the end: once, last registered first, each at most so long, errors collected. */

import { EngineError, ignore, withDeadline } from "../base/index.js";

const TIMEOUT = 10_000;

export class CleanupStack {
  readonly #functions: (() => unknown)[] = [];
  readonly #timeout: number;
  #added = (): void => {};

  /** @param timeout milliseconds that one function may take */
  constructor(timeout = TIMEOUT) {
    this.#timeout = timeout;
  }

  get isEmpty(): boolean {
    return this.#functions.length === 0;
  }

  add(fn: () => unknown): void {
    this.#functions.push(fn);
    this.#added();
  }

  /** From now on calls `added` for each function that is added. */
  onAdded(added: () => void): void {
    this.#added = added;
  }

  /** Runs what is registered as far as it gets at once, for a process that is about to end; gives the errors. */
  runNow(): readonly unknown[] {
    const errors: unknown[] = [];
    for (let fn = this.#functions.pop(); fn; fn = this.#functions.pop()) {
      try {
        Promise.resolve(fn()).catch(ignore);
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  /** Runs what is registered and forgets it; resolves with the errors. */
  async run(): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    for (let fn = this.#functions.pop(); fn; fn = this.#functions.pop()) {
      const late = (): EngineError => tooLong(this.#timeout);
      await withDeadline(this.#timeout, Promise.resolve().then(fn), late).catch((error: unknown) => errors.push(error));
    }
    return errors;
  }
}

function tooLong(timeout: number): EngineError {
  return new EngineError("TIMEOUT", `A cleanup function took longer than ${timeout / 1000} s and was left behind.`);
}
