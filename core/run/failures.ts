/** What has failed the scopes of a run. */
import { RunFailedError } from "../base/index.js";

export interface Failure {
  readonly error: unknown;
  /** Paths of the scopes that it failed. */
  readonly paths: Set<string>;
  /** Key of the resource in whose handler it was, and nowhere else; undefined for what the program did itself. */
  home: string | undefined;
}

export class Failures {
  readonly #all = new Map<unknown, Failure>();
  /** Homes of the failures that have one. */
  readonly #homes = new Set<string>();

  /** Each of several errors by itself. True where any of it is new. */
  add(path: string, error: unknown, home: string | undefined): boolean {
    const parts = partsOf(error);
    if (parts.length > 0) return parts.filter((part) => this.add(path, part, home)).length > 0;
    const known = this.#all.get(error);
    if (home !== undefined) this.#homes.add(home);
    if (!known) this.#all.set(error, { error, paths: new Set([path]), home });
    else {
      known.paths.add(path);
      if (known.home !== home) known.home = undefined;
    }
    return !known;
  }

  get all(): readonly Failure[] {
    return [...this.#all.values()];
  }

  /** The handler runs again: what failed in its last call counts for nothing, as long as it does not fail this time. */
  forget(home: string): void {
    if (!this.#homes.delete(home)) return;
    for (const [error, failure] of this.#all) if (failure.home === home) this.#all.delete(error);
  }
}

/** The errors that another one only carries. */
function partsOf(error: unknown): readonly unknown[] {
  return error instanceof AggregateError || error instanceof RunFailedError ? error.errors : [];
}
