import { setMaxListeners } from "node:events";
import { EngineError } from "../base/index.js";

/** The work of `engine()` for a run; its end may be withheld from the program. */
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
    // Declarations wait for it, too; engine() passes the failure on.
    this.over.catch(() => {});
  }

  /** True while `engine()` is running. */
  get isOpening(): boolean {
    return this.#canBeWithheld && this.#isAtWork;
  }

  /** True while the program has to wait although the work may be done. */
  get isWithheld(): boolean {
    return this.#withheld !== undefined;
  }

  /** Delays its end until `until` has resolved. Returns false if it is over already. */
  withhold(until: Promise<void>): boolean {
    if (!this.isOpening) return false;
    this.#withheld = until.then(() => {
      this.#withheld = undefined;
    });
    return true;
  }
}

/** The signal of one run. It follows the signal of the options until the run has ended. */
export class Interruption {
  readonly #controller = new AbortController();
  #unfollow = (): void => {};

  constructor() {
    // One listener per handler that runs or waits for its retry: not a leak.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: EngineError): void {
    this.#controller.abort(reason);
  }

  /** Calls `interrupt` when `outer` is aborted, at once if it is already. */
  follow(outer: AbortSignal | undefined, interrupt: (reason: EngineError) => void): void {
    const onAbort = (): void =>
      interrupt(
        new EngineError("ABORTED", 'The run was aborted by the signal in its option "signal".', {
          cause: outer?.reason,
        }),
      );
    if (outer?.aborted) onAbort();
    else if (outer) this.#unfollow = followTogether(outer, onAbort);
  }

  unfollow(): void {
    this.#unfollow();
  }
}

interface Followers {
  readonly all: Set<() => void>;
  stop(): void;
}

const followed = new WeakMap<AbortSignal, Followers>();

/**
 * Adds one listener for all runs that follow a signal: Node reports more than ten as a leak.
 *
 * @returns a function that ends it for this one
 */
function followTogether(signal: AbortSignal, onAbort: () => void): () => void {
  const followers = followed.get(signal) ?? startFollowing(signal);
  followers.all.add(onAbort);
  return () => {
    if (!followers.all.delete(onAbort) || followers.all.size > 0) return;
    followers.stop();
    followed.delete(signal);
  };
}

function startFollowing(signal: AbortSignal): Followers {
  const all = new Set<() => void>();
  const tell = (): void => {
    for (const onAbort of all) onAbort();
  };
  signal.addEventListener("abort", tell, { once: true });
  const followers = { all, stop: () => signal.removeEventListener("abort", tell) };
  followed.set(signal, followers);
  return followers;
}
