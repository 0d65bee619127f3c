/** Slots for running handlers. A handler that waits for its own children lends them its slot. */

export class Limiter {
  #free: number;
  readonly #returning = new Line();
  readonly #arriving = new Line();

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Takes a slot. Returns undefined if one is free at once. */
  acquire(): Promise<void> | undefined {
    return this.#wait(this.#arriving);
  }

  /** Takes a slot before all waiting newcomers: the work that returns is half done, and others may wait for it. */
  reacquire(): Promise<void> | undefined {
    return this.#wait(this.#returning);
  }

  release(): void {
    const next = this.#returning.shift() ?? this.#arriving.shift();
    if (next) next();
    else this.#free++;
  }

  /** Runs work in a slot of its own. */
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

  /** Takes a slot. Returns a promise only if none is free at once. */
  static take(limiter: Limiter): ConcurrencySlot | Promise<ConcurrencySlot> {
    const waiting = limiter.acquire();
    return waiting === undefined ? new ConcurrencySlot(limiter) : waiting.then(() => new ConcurrencySlot(limiter));
  }

  /** Returns the slot to the limiter while a child runs, because the handler can only wait for it. */
  lend(): void {
    this.#borrowers++;
    this.#releaseIfHeld();
  }

  /** Called when a child's handler has returned. After the last child, the slot goes back to the parent. */
  giveBack(): void {
    this.#borrowers--;
    if (this.#borrowers === 0 && !this.#hasEnded && !this.#isReturning) void this.#regain();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Marks the handler as ended and releases its slot. */
  end(): void {
    this.#hasEnded = true;
    this.#releaseIfHeld();
  }

  async #regain(): Promise<void> {
    this.#isReturning = true;
    await this.#limiter.reacquire();
    this.#isReturning = false;
    this.#isHeld = true;
    if (this.#hasEnded || this.#borrowers > 0) this.#releaseIfHeld();
  }

  #releaseIfHeld(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#limiter.release();
  }
}

/** A first-in, first-out queue whose cost does not grow with its length, unlike an array's `shift`. */
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
