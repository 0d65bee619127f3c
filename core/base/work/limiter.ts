/** Slots for running handlers. A handler that waits for its own children lends them its slot. */

export class Limiter {
  #free: number;
  readonly #returning = new Line();
  readonly #arriving = new Line();

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Undefined where a slot is free at once. */
  acquire(): Promise<void> | undefined {
    return this.#wait(this.#arriving);
  }

  /** As `acquire`, ahead of all that have not begun: whoever comes back is half-way, and others may wait for it. */
  reacquire(): Promise<void> | undefined {
    return this.#wait(this.#returning);
  }

  release(): void {
    const next = this.#returning.shift() ?? this.#arriving.shift();
    if (next) next();
    else this.#free++;
  }

  /** Does work in a slot of its own. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.acquire();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  #wait(line: Line): Promise<void> | undefined {
    if (this.#free === 0) return new Promise((resolve) => line.push(resolve));
    this.#free--;
    return undefined;
  }
}

/** The slot of one running handler. */
export class ConcurrencySlot {
  readonly #limiter: Limiter;
  #isHeld = true;
  #hasEnded = false;
  #borrowers = 0;
  #isReturning = false;

  private constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  /** Not a promise where one is free at once. */
  static take(limiter: Limiter): ConcurrencySlot | Promise<ConcurrencySlot> {
    const waiting = limiter.acquire();
    return waiting === undefined ? new ConcurrencySlot(limiter) : waiting.then(() => new ConcurrencySlot(limiter));
  }

  /** A child is to run: the handler can only wait for it, so the slot goes back to all. */
  lend(): void {
    this.#borrowers++;
    this.#letGo();
  }

  /** A child's handler has returned, and its slot is about to be free: the parent's, if it was the last. */
  giveBack(): void {
    this.#borrowers--;
    if (this.#borrowers === 0 && !this.#hasEnded && !this.#isReturning) void this.#regain();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The handler has returned. */
  end(): void {
    this.#hasEnded = true;
    this.#letGo();
  }

  async #regain(): Promise<void> {
    this.#isReturning = true;
    await this.#limiter.reacquire();
    this.#isReturning = false;
    this.#isHeld = true;
    if (this.#hasEnded || this.#borrowers > 0) this.#letGo();
  }

  #letGo(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#limiter.release();
  }
}

/** First in, first out; at no cost that grows with its length, as that of an array's `shift` does. */
class Line {
  #waiting: (() => void)[] = [];
  #served = 0;

  push(next: () => void): void {
    this.#waiting.push(next);
  }

  shift(): (() => void) | undefined {
    const next = this.#waiting[this.#served];
    if (!next) return undefined;
    this.#served++;
    if (this.#served * 2 > this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#served);
      this.#served = 0;
    }
    return next;
  }
}
