/** Work that takes time, one after the other where it is about the same thing. */

export class Turns {
  /** Of each thing, what was begun last. None of them rejects. */
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when all that is under way has settled; undefined where that is nothing. */
  before(name: string): Promise<void> | undefined {
    return this.#last.get(name);
  }

  /** Begins now; `before` waits for it from now on. */
  async take(name: string, work: () => Promise<void>): Promise<void> {
    const working = work();
    const settled = working.then(ignore, ignore);
    this.#last.set(name, settled);
    try {
      await working;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }

  /** Resolves when nothing is under way, whatever begins meanwhile. */
  async over(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values());
  }
}

function ignore(): void {}
