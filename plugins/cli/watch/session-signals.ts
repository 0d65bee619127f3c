/** How a session is told to end. */
import { constants } from "node:os";
import { withResolvers } from "../../../core/base/index.js";
import { SESSION_SIGNALS, type SessionSignal } from "./messages.js";
import type { WatchedRun } from "./watched-run.js";

/** Milliseconds that a program has to end by itself when it was interrupted again. */
const LAST = 500;

export class SessionSignals {
  readonly #first = withResolvers<void>();
  #code: number | undefined;
  readonly #counts = new Map<SessionSignal, number>();
  readonly #again = withResolvers<void>();
  #run: WatchedRun | undefined;

  constructor() {
    for (const signal of SESSION_SIGNALS) process.on(signal, this.#onSignal);
  }

  /** Resolves when the first one has come. */
  get first(): Promise<void> {
    return this.#first.promise;
  }

  /** Resolves when a second one has come: nothing is waited for any more. */
  get again(): Promise<void> {
    return this.#again.promise;
  }

  /** Exit code that the session ends with; undefined as long as it goes on. */
  get code(): number | undefined {
    return this.#code;
  }

  /** What runs now hears of them. */
  reach(run: WatchedRun): void {
    this.#run = run;
  }

  close(): void {
    for (const signal of SESSION_SIGNALS) process.off(signal, this.#onSignal);
  }

  readonly #onSignal = (signal: (typeof SESSION_SIGNALS)[number]): void => {
    const isAgain = this.#code !== undefined;
    this.#code ??= 128 + constants.signals[signal];
    this.#first.resolve();
    if (isAgain) this.#again.resolve();
    const run = this.#run;
    if (!run || run.hasEnded) return;
    const count = (this.#counts.get(signal) ?? 0) + 1;
    this.#counts.set(signal, count);
    run.signal(signal, count);
    if (isAgain) setTimeout(() => run.kill(), LAST);
  };
}
