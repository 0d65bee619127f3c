/** Virtual time: what is due first happens first, and what is due at one time in the order of asking. */
export class Clock {
  readonly #due: { readonly at: number; readonly act: () => void }[] = [];
  readonly #delays: readonly number[];
  #taken = 0;
  #now = 0;

  /** Delays are taken in turn, over and over. */
  constructor(delays: readonly number[]) {
    this.#delays = delays;
  }

  get now(): number {
    return this.#now;
  }

  get idle(): boolean {
    return this.#due.length === 0;
  }

  after(act: () => void, longest = Number.POSITIVE_INFINITY): void {
    const delay = this.#delays[this.#taken++ % this.#delays.length] ?? 0;
    const at = this.#now + Math.min(delay, longest);
    const index = this.#due.findIndex((other) => other.at > at);
    this.#due.splice(index < 0 ? this.#due.length : index, 0, { at, act });
  }

  /** Stops dead after so many acts. */
  run(acts: number | undefined): void {
    for (let count = 0; count !== acts; count++) {
      const next = this.#due.shift();
      if (!next) return;
      this.#now = next.at;
      next.act();
    }
  }
}
