/** What `engine()` does for a run, and whether the program gets to know that it is done. */
export class Start {
  /** Settles when the work is done. */
  readonly work: Promise<void>;
  /** Settles when `engine()` does. */
  readonly over: Promise<void>;
  readonly #canBeWithheld: boolean;
  #isAtWork = true;
  #withheld: Promise<void> | undefined;

  constructor(work: () => Promise<void>, canBeWithheld: boolean) {
    this.#canBeWithheld = canBeWithheld;
    this.work = work().finally(() => {
      this.#isAtWork = false;
    });
    this.over = this.work.then(() => this.#withheld);
    // Whoever declares something waits for it too; engine() hands the failure on.
    this.over.catch(() => {});
  }

  /** True while `engine()` is at work. */
  get isOpening(): boolean {
    return this.#canBeWithheld && this.#isAtWork;
  }

  /** True while the program has to wait although the work may be done. */
  get isWithheld(): boolean {
    return this.#withheld !== undefined;
  }

  /** It is not over before `until` has resolved. False: it is over already. */
  withhold(until: Promise<void>): boolean {
    if (!this.isOpening) return false;
    this.#withheld = until.then(() => {
      this.#withheld = undefined;
    });
    return true;
  }
}
