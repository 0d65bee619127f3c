/**
 * The functions that run in scopes. Finalize waits for them, because resources that they declare later would look like
 * orphans.
 */
import { EngineError, withResolvers } from "../base/index.js";
import { enclosingRuns, type Scope, type ScopeRun } from "../contract/index.js";

export class ScopeRuns {
  readonly #running = new Set<ScopeRun>();

  /** Calls `begin` at once and tracks it until its promise has settled. */
  async track<T>(name: string, begin: (run: ScopeRun) => Promise<T>): Promise<T> {
    const run = newRun(name);
    this.#running.add(run);
    try {
      return await begin(run);
    } finally {
      this.#end(run);
    }
  }

  /** Stops waiting for the functions that contain the calling code, because they wait for the caller. */
  excuseCaller(): void {
    for (const run of enclosingRuns()) this.#end(run);
  }

  get names(): readonly string[] {
    return [...this.#running].map(({ name }) => name);
  }

  /** Resolves when all, including those that begin meanwhile, have settled. */
  async over(): Promise<void> {
    for (const { over } of this.#running) await over;
  }

  #end(run: ScopeRun): void {
    this.#running.delete(run);
    run.end();
  }
}

function newRun(name: string): ScopeRun {
  const { promise: over, resolve } = withResolvers<void>();
  const run = {
    name,
    over,
    hasEnded: false,
    end() {
      run.hasEnded = true;
      resolve();
    },
  };
  return run;
}

/**
 * - `opening`: `engine()` is running, the state is not loaded.
 * - `open`: the program declares.
 * - `settling`: `finalize()` waits for all declarations, and runs deferred functions, which may declare more.
 * - `pruning`: only handlers declare resources, and orphans are deleted.
 * - `closing`: the state is closed, nothing more is recorded; the run is reported.
 * - `closed`: the store and the place among the live apps are released.
 */
export type RunState = "opening" | "open" | "settling" | "pruning" | "closing" | "closed";

const ORDER: readonly RunState[] = ["opening", "open", "settling", "pruning", "closing", "closed"];

/** The condition of the records in the phase `destroy`, in which the program may continue after all is deleted. */
type RecordState = "kept" | "destroyed" | "closed";

export class RunProgress {
  #state: RunState = "opening";
  #hasOpened = false;
  #record: RecordState = "kept";

  get state(): RunState {
    return this.#state;
  }

  /** True once the run has reached a state. */
  has(state: RunState): boolean {
    return ORDER.indexOf(this.#state) >= ORDER.indexOf(state);
  }

  /** Advances to a state. States may be skipped: a run that fails while it opens is closed next. It never goes back. */
  advance(to: RunState): void {
    if (this.has(to) && this.#state !== to) throw new TypeError(`A run that is ${this.#state} cannot be ${to} again.`);
    this.#state = to;
    if (to === "open") this.#hasOpened = true;
    if (this.has("closing")) this.#record = "closed";
  }

  /** True if the state was loaded; a run that failed before is closed without it. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** Notes that the phase `destroy` has begun to delete all records: it does so once. */
  destroy(): void {
    this.#record = "destroyed";
  }

  /** Notes that all records are deleted, and the state is closed before the program has run. */
  closeRecord(): void {
    this.#record = "closed";
  }

  get isDestroyed(): boolean {
    return this.#record !== "kept";
  }

  /** True if nothing more is recorded. */
  get isRecordClosed(): boolean {
    return this.#record === "closed";
  }
}

/**
 * Requirement of a call: that its declarations are still carried out, that its values are still recorded, or that the
 * run has not released everything.
 */
export type Need = "declare" | "record" | "live";

interface Running {
  /** True from `engine()` to the end of `finalize()`. */
  readonly isLive: boolean;
  readonly run: { readonly progress: RunProgress };
}

export function isTooLate({ isLive, run: { progress } }: Running, need: Need): boolean {
  if (!isLive) return true;
  if (need === "declare") return progress.has("pruning");
  return need === "record" && progress.isRecordClosed;
}

/** The error of a call after the end of a run, which nothing would run, record or prune. */
export function tooLate(scope: Scope, what: string): EngineError {
  const name = scope.root.chain.join("/");
  const message = `${what} comes too late: the run of "${name}" is ending or has ended. Make this call before finalize(), or use app.run(fn) to begin another run.`;
  return new EngineError("NO_SCOPE", message);
}
