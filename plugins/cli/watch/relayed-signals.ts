/** Signals of which a message tells, for it may be that none has come: Windows sends none, and a terminal sends them to everybody. */
import { constants } from "node:os";
import type { PlatformName } from "../../../core/base/index.js";
import { raiseSignal } from "../../internal/process/process-end.js";
import { isOrder, SESSION_SIGNALS, type SessionSignal } from "./messages.js";

/** Milliseconds in which the signal of a terminal reaches this process, too. */
const TERMINAL = 200;

export class RelayedSignals {
  readonly #got = new Map<SessionSignal, number>();

  constructor() {
    for (const signal of SESSION_SIGNALS) {
      process.on(signal, () => {
        this.#got.set(signal, this.#countOf(signal) + 1);
        // With this listener nothing happens by itself.
        if (process.listenerCount(signal) === 1) process.exit(codeOf(signal));
      });
    }
  }

  /** @param count how many times this process is to have got it */
  raise(signal: SessionSignal, count: number): void {
    setTimeout(() => {
      if (this.#countOf(signal) < count) raiseSignal(signal, codeOf(signal));
    }, TERMINAL).unref();
  }

  #countOf(signal: SessionSignal): number {
    return this.#got.get(signal) ?? 0;
  }
}

/** Hears from the process that this one goes on for, where that cannot pass its signals on. */
export function obeyPredecessor(platform: PlatformName = process.platform): void {
  if (platform !== "win32" || !process.send) return;
  const signals = new RelayedSignals();
  process.on("message", (message: unknown) => {
    if (isOrder(message) && message.type === "signal") signals.raise(message.signal, message.count);
  });
  // To listen keeps no process that has nothing else to do.
  process.channel?.unref();
}

export function codeOf(signal: SessionSignal): number {
  return 128 + constants.signals[signal];
}
