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
    this.#unfollow = () => outer?.removeEventListener("abort", onAbort);
    if (outer?.aborted) onAbort();
    else outer?.addEventListener("abort", onAbort, { once: true });
  }

  unfollow(): void {
    this.#unfollow();
  }
}
