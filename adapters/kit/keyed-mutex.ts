/** Lets asynchronous work on one key wait for what was begun on that key before. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** True when nothing is under way on the key. */
  isFree(key: string): boolean {
    return !this.#last.has(key);
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const held = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, held);
    try {
      return await held;
    } finally {
      if (this.#last.get(key) === held) this.#last.delete(key);
    }
  }
}
