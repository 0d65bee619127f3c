/** Pending work that others wait for: work in progress, and checks before the first change. */
import { ignore } from "./promises.js";

/** Returns the promise that ongoing work waits for, or undefined if the work need not be waited for. */
export type Rest = () => Promise<unknown> | undefined;

type Check = () => Promise<unknown>;

/** Asynchronous work, sequential for each name. */
export class OngoingWork {
  /** The last work of each name. These promises never reject. */
  readonly #last = new Map<string, Promise<void>>();
  /** Work without a name. */
  readonly #apart = new Set<Rest>();

  /** Returns a promise that resolves when the last work of the name has settled, or undefined if there is none. */
  before(name: string): Promise<void> | undefined {
    return this.#last.get(name);
  }

  /** Starts work now; `before` then waits for it. */
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

  /**
   * Counts a promise as work in progress until it has settled. `rest` is called again after each of its promises has
   * settled.
   */
  keep(working: Promise<unknown>, rest: Rest = () => working): void {
    this.#apart.add(rest);
    const end = (): void => void this.#apart.delete(rest);
    working.then(end, end);
  }

  /** Resolves when no work is in progress, including work that begins meanwhile. */
  async over(): Promise<void> {
    for (let under = this.#underWay(); under.length > 0; under = this.#underWay()) await Promise.all(under);
  }

  #underWay(): readonly Promise<unknown>[] {
    const apart = [...this.#apart].flatMap((rest) => rest()?.then(ignore, ignore) ?? []);
    return [...this.#last.values(), ...apart];
  }
}

/** Checks that must settle before the first handler is called and the first change is written. */
export class Preflight {
  /** Checks that always apply, and checks that do not apply to handlers that only read. */
  readonly #all = new Checks();
  readonly #changes = new Checks();

  /**
   * Adds a check, which runs once, the next time that something has to pass.
   *
   * @param forReads false: handlers that only read pass without it
   */
  add(check: Check, { forReads = true }: { readonly forReads?: boolean } = {}): void {
    (forReads ? this.#all : this.#changes).add(check);
  }

  /**
   * Runs the checks. Returns undefined if none is pending. Once a check has rejected, this always rejects with its
   * error.
   */
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
