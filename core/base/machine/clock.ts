/** Time as the state knows it: how long something takes, never what time it is. */
import { monotonicNow } from "./monotonic.js";
import { sleep } from "./sleep.js";

/** In milliseconds. */
export const MINUTE = 60_000;
/** In milliseconds. */
export const HOUR = 60 * MINUTE;

export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** @throws the signal's reason as soon as it is aborted */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const monotonic: Clock = {
  now: monotonicNow,
  async sleep(milliseconds, signal) {
    await sleep(milliseconds, signal);
    signal.throwIfAborted();
  },
};
