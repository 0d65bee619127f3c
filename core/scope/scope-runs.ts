/** The functions that run in scopes. Finalize waits for them: what they have yet to declare would look like an orphan. */
import { readable, withResolvers } from "../base/index.js";
import { enclosingRuns, INTERNALS, runInScope, type Scope, type ScopeRun } from "../contract/index.js";
import { hostOf } from "./host.js";

export class ScopeRuns {
  readonly #running = new Set<ScopeRun>();

  /** Calls `begin` at once and keeps count of it until what it gives has settled. */
  async track<T>(name: string, begin: (run: ScopeRun) => Promise<T>): Promise<T> {
    const run = newRun(name);
    this.#running.add(run);
    try {
      return await begin(run);
    } finally {
      this.#end(run);
    }
  }

  /** The functions that the calling code is a part of are not waited for any more, for they wait for the caller. */
  excuseCaller(): void {
    for (const run of enclosingRuns()) this.#end(run);
  }

  get names(): readonly string[] {
    return [...this.#running].map(({ name }) => name);
  }

  /** Resolves when all, also those that begin meanwhile, have ended one way or the other. */
  async over(): Promise<void> {
    for (const { over } of this.#running) await over;
  }

  #end(run: ScopeRun): void {
    this.#running.delete(run);
    run.end();
  }
}

/** Runs a function with a scope as the current one; what it rejects with fails the scope. */
export async function runIn<T, S extends Scope>(scope: S, run: ScopeRun, fn: (scope: S) => Promise<T> | T): Promise<T> {
  const { path, resource } = scope[INTERNALS];
  try {
    return await runInScope(scope, () => fn(scope), run);
  } catch (thrown) {
    const error = readable(thrown);
    hostOf(scope).generation.fail(path, error, resource?.key);
    throw error;
  }
}

function newRun(name: string): ScopeRun {
  const { promise: over, resolve } = withResolvers<void>();
  let hasEnded = false;
  return {
    name,
    over,
    get hasEnded() {
      return hasEnded;
    },
    end() {
      hasEnded = true;
      resolve();
    },
  };
}
