/** What has to be settled before the first handler is called and the first change is written. */

type Check = () => Promise<unknown>;

export class Preflight {
  /** Those that hold for everything, and those that do not hold for handlers that only look. */
  readonly #all = new Checks();
  readonly #changes = new Checks();

  /**
   * Adds a check, which is made once, when somebody wants to pass.
   *
   * @param forReads false: handlers that only look at what is there pass without it
   */
  add(check: Check, { forReads = true }: { readonly forReads?: boolean } = {}): void {
    (forReads ? this.#all : this.#changes).add(check);
  }

  /** Undefined where nothing is in the way. Rejects, from then on, with what a check rejected with. */
  run({ isRead = false }: { readonly isRead?: boolean } = {}): Promise<void> | undefined {
    const all = this.#all.run();
    const changes = isRead ? undefined : this.#changes.run();
    return all && changes ? Promise.all([all, changes]).then(() => {}) : (all ?? changes);
  }
}

class Checks {
  #waiting: Check[] = [];
  #running: Promise<void> | undefined;

  add(check: Check): void {
    this.#waiting.push(check);
  }

  run(): Promise<void> | undefined {
    if (this.#waiting.length > 0) {
      const checks = this.#waiting;
      this.#waiting = [];
      const running = Promise.all([this.#running, ...checks.map(async (check) => check())]).then(() => {
        if (this.#running === running) this.#running = undefined;
      });
      running.catch(() => {});
      this.#running = running;
    }
    return this.#running;
  }
}
