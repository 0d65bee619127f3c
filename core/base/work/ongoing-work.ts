/** Work that takes time, one after the other where it is about the same thing. */

import { ignore } from "./promises.js";

/** What has to settle before something that is under way can go on; undefined where that is not to be waited for. */
export type Rest = () => Promise<unknown> | undefined;

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
