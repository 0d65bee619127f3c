/** Work that something has to wait for: what is under way, and checks before the first change. */
import { ignore } from "./promises.js";

/** What has to settle before something that is under way can go on; undefined where that is not to be waited for. */
export type Rest = () => Promise<unknown> | undefined;

type Check = () => Promise<unknown>;

/** Work that takes time, one after the other where it is about the same thing. */
export class OngoingWork {
  /** Of each thing, what was begun last. None of them rejects. */
  readonly #last = new Map<string, Promise<void>>();
  /** What is not about a thing that others are about, too. */
  readonly #apart = new Set<Rest>();

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

  /** Counts as under way until it has settled, while `rest` says so: asked again when that has settled. */
  keep(working: Promise<unknown>, rest: Rest = () => working): void {
    this.#apart.add(rest);
    const end = (): void => void this.#apart.delete(rest);
    working.then(end, end);
  }

  /** Resolves when nothing is under way, whatever begins meanwhile. */
  async over(): Promise<void> {
    for (let under = this.#underWay(); under.length > 0; under = this.#underWay()) await Promise.all(under);
  }

  #underWay(): readonly Promise<unknown>[] {
    const apart = [...this.#apart].flatMap((rest) => rest()?.then(ignore, ignore) ?? []);
    return [...this.#last.values(), ...apart];
  }
}

/** What has to be settled before the first handler is called and the first change is written. */
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
