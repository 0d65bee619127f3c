/**
 * Raises signals that arrive as messages, if the signal itself did not arrive: Windows sends none, a terminal sends it
 * to all.
 */
import { constants } from "node:os";
import type { PlatformName } from "../../../core/base/index.js";
import { raiseSignal } from "../../internal/process/process-end.js";
import { isOrder, SESSION_SIGNALS, type SessionSignal } from "./messages.js";

/** Milliseconds within which a signal of the terminal also reaches this process. */
const TERMINAL = 200;

export class RelayedSignals {
  readonly #got = new Map<SessionSignal, number>();

  constructor() {
    for (const signal of SESSION_SIGNALS) {
      process.on(signal, () => {
        this.#got.set(signal, this.#countOf(signal) + 1);
        // This listener turns the default action off.
        if (process.listenerCount(signal) === 1) process.exit(codeOf(signal));
      });
    }
  }

  /** @param count number of times that this process should have got the signal */
  raise(signal: SessionSignal, count: number): void {
    setTimeout(() => {
      if (this.#countOf(signal) < count) raiseSignal(signal, codeOf(signal));
    }, TERMINAL).unref();
  }

  #countOf(signal: SessionSignal): number {
    return this.#got.get(signal) ?? 0;
  }
}

/** Listens to the process that this one continues, if the platform does not let it forward its signals. */
export function obeyPredecessor(platform: PlatformName = process.platform): void {
  if (platform !== "win32" || !process.send) return;
  const signals = new RelayedSignals();
  process.on("message", (message: unknown) => {
    if (isOrder(message) && message.type === "signal") signals.raise(message.signal, message.count);
  });
  // Listening must not keep the process alive.
  process.channel?.unref();
}

export function codeOf(signal: SessionSignal): number {
  return 128 + constants.signals[signal];
}
