/** The target of a change does not exist. */
export class NothingToChoose extends Error {}

/** Numbers and choices from a seed, the same each time. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  one<T>(list: readonly T[]): T {
    if (list.length === 0) throw new NothingToChoose();
    return list[this.below(list.length)] as T;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }
}
