/** What has to be settled before the first handler is called and the first change is written. */

export class Gate {
  #checks: (() => Promise<unknown>)[] = [];
  #passing: Promise<void> | undefined;

  /** Adds a check, which is made once, when somebody wants to pass. */
  add(check: () => Promise<unknown>): void {
    this.#checks.push(check);
  }

  /** Undefined where nothing is in the way. Rejects, from then on, with what a check rejected with. */
  pass(): Promise<void> | undefined {
    if (this.#checks.length > 0) {
      const checks = this.#checks;
      this.#checks = [];
      const passing = Promise.all([this.#passing, ...checks.map(async (check) => check())]).then(() => {
        if (this.#passing === passing) this.#passing = undefined;
      });
      passing.catch(() => {});
      this.#passing = passing;
    }
    return this.#passing;
  }
}
