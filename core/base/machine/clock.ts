/** Time as the state knows it: how long something takes, never what time it is. */
import { platform } from "./platform.js";

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

/** Milliseconds since an arbitrary moment; never goes back. */
export function monotonicNow(): number {
  return platform().monotonicNow();
}

/** Resolves after so many milliseconds, or at once when the signal is aborted. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = platform().after(milliseconds, done);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** The time of day, for people: nothing is decided by it. As ISO 8601. */
export function timeOfDay(): string {
  return platform().timeOfDay();
}
