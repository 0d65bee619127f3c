import { platform } from "./platform.js";

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
