/** The functions that run in scopes. Finalize waits for them: what they have yet to declare would look like an orphan. */
import { EngineError, withResolvers } from "../base/index.js";
import { enclosingRuns, type Scope, type ScopeRun } from "../contract/index.js";

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

/**
 * - `opening`: `engine()` is at work, the state is not loaded.
 * - `open`: the program declares.
 * - `settling`: `finalize()` waits for what was declared, and runs deferred functions, which may declare more.
 * - `pruning`: only handlers declare anything, and what is left over is deleted.
 * - `closing`: the state is closed, nothing more is recorded; the run is reported.
 * - `closed`: the store and the place among the live apps are given back.
 */
export type RunState = "opening" | "open" | "settling" | "pruning" | "closing" | "closed";

const ORDER: readonly RunState[] = ["opening", "open", "settling", "pruning", "closing", "closed"];

/** What becomes of the state in the phase `destroy`, where the program may go on after all is deleted. */
type RecordState = "kept" | "destroyed" | "closed";

export class RunProgress {
  #state: RunState = "opening";
  #hasOpened = false;
  #record: RecordState = "kept";

  get state(): RunState {
    return this.#state;
  }

  /** True from the moment when the run has come as far as that. */
  has(state: RunState): boolean {
    return ORDER.indexOf(this.#state) >= ORDER.indexOf(state);
  }

  /** Steps may be left out: a run that fails while it opens is closed next. It never goes back. */
  advance(to: RunState): void {
    if (this.has(to) && this.#state !== to) throw new TypeError(`A run that is ${this.#state} cannot be ${to} again.`);
    this.#state = to;
    if (to === "open") this.#hasOpened = true;
    if (this.has("closing")) this.#record = "closed";
  }

  /** The state was loaded; a run that failed before is closed without. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  /** The phase `destroy` has begun to delete all that is recorded: it does so once. */
  destroy(): void {
    this.#record = "destroyed";
  }

  /** All that was recorded is deleted, and the state is closed before the program has run. */
  closeRecord(): void {
    this.#record = "closed";
  }

  get isDestroyed(): boolean {
    return this.#record !== "kept";
  }

  /** Nothing more is recorded. */
  get isRecordClosed(): boolean {
    return this.#record === "closed";
  }
}

/**
 * What a call needs of its run: that what it declares would still be done, that what it says would still be recorded, or that the run
 * has not let go of everything.
 */
export type Need = "declare" | "record" | "live";

interface Running {
  /** From `engine()` to the end of `finalize()`. */
  readonly isLive: boolean;
  readonly run: { readonly progress: RunProgress };
}

export function isTooLate({ isLive, run: { progress } }: Running, need: Need): boolean {
  if (!isLive) return true;
  if (need === "declare") return progress.has("pruning");
  return need === "record" && progress.isRecordClosed;
}

/** For what comes after the end of a run: nothing would run it, record it or prune it. */
export function tooLate(scope: Scope, what: string): EngineError {
  const name = scope.root.chain.join("/");
  const message = `${what} comes too late: the run of "${name}" has ended. Use app.run(fn) to begin another.`;
  return new EngineError("NO_SCOPE", message);
}
