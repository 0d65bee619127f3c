/** What may end a command before its time. */
import { EngineError, messageOf } from "../../../core/base/index.js";

export interface Limited {
  readonly run: AbortSignal;
  readonly signal: AbortSignal | undefined;
  readonly timeout: number | undefined;
}

/** One signal for all of it. */
export class ChildLimits {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #stops: (() => void)[] = [];

  constructor({ run, signal, timeout }: Limited) {
    this.#follow(run, () => run.reason);
    if (signal) this.#follow(signal, () => aborted(signal.reason));
    if (timeout !== undefined) {
      const late = new EngineError("TIMEOUT", `The command took longer than ${timeout} ms and was ended.`);
      this.#timer = setTimeout(() => this.#controller.abort(late), timeout);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const stop of this.#stops) stop();
  }

  #follow(signal: AbortSignal, reason: () => unknown): void {
    const abort = (): void => this.#controller.abort(reason());
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    this.#stops.push(() => signal.removeEventListener("abort", abort));
  }
}

function aborted(cause: unknown): EngineError {
  return new EngineError("ABORTED", `The command was ended by its signal: ${messageOf(cause)}`, { cause });
}
