/** Places for running handlers. A handler that waits for its own children lends them its place. */

export class Limiter {
  #free: number;
  readonly #queue: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  /** Undefined where a place is free at once. */
  acquire(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    return new Promise((resolve) => this.#queue.push(resolve));
  }

  release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}

/** The place of one running handler. */
export class Place {
  readonly #limiter: Limiter;
  #borrowers = 0;
  #ended = false;

  private constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  static async take(limiter: Limiter): Promise<Place> {
    await limiter.acquire();
    return new Place(limiter);
  }

  /** While a child runs, its parent's handler can only wait: the place goes back to all. */
  lend(): void {
    if (!this.#ended && this.#borrowers === 0) this.#limiter.release();
    this.#borrowers++;
  }

  /** The last child takes the place back for its parent before it returns to it. */
  async reclaim(): Promise<void> {
    this.#borrowers--;
    if (this.#borrowers > 0 || this.#ended) return;
    await this.#limiter.acquire();
    if (this.#ended) this.#limiter.release();
  }

  /** The handler has returned. */
  end(): void {
    if (this.#borrowers === 0) this.#limiter.release();
    this.#ended = true;
  }
}
