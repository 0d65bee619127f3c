/** Time as the state knows it: how long something takes, never what time it is. */
import { setTimeout as wait } from "node:timers/promises";
import { monotonicNow } from "../monotonic.js";

export interface Clock {
  /** Milliseconds since an arbitrary moment; never goes back. */
  now(): number;
  /** @throws the signal's reason as soon as it is aborted */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const monotonic: Clock = {
  now: monotonicNow,
  async sleep(milliseconds, signal) {
    await wait(milliseconds, undefined, { signal }).catch(() => {});
    signal.throwIfAborted();
  },
};
