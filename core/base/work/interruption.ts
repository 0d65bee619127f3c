import { setMaxListeners } from "node:events";
import { EngineError } from "../errors.js";

/** The signal of one generation of a run. It follows the signal that the options gave, until the run has ended. */
export class Interruption {
  readonly #controller = new AbortController();
  #unfollow = (): void => {};

  constructor() {
    // As many as there are handlers running or waiting to be called again: no leak.
    setMaxListeners(0, this.#controller.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: EngineError): void {
    this.#controller.abort(reason);
  }

  /** Calls `interrupt` when `outer` is aborted, at once where it is already. */
  follow(outer: AbortSignal | undefined, interrupt: (reason: EngineError) => void): void {
    const onAbort = (): void =>
      interrupt(new EngineError("ABORTED", "The run was aborted by its signal.", { cause: outer?.reason }));
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

/** One listener for all runs that follow a signal: Node takes more than ten for a leak. @returns ends it for this one */
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
