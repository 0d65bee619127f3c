/** Trying again, within limits. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Patience {
  /** Milliseconds after which nothing is tried again. */
  readonly limit: number;
  /** True where another attempt may succeed. */
  isPassing(error: unknown): boolean;
  /** Less time for some errors, in milliseconds. */
  limitOf?(error: unknown): number;
  /** Called when the first attempt has failed in passing, and others will follow. */
  retrying?(error: unknown): void;
}

/** What came of all attempts. */
export class GivenUp extends Error {
  readonly last: unknown;
  readonly attempts: number;
  readonly seconds: number;

  constructor(last: unknown, attempts: number, milliseconds: number) {
    super("gave up", { cause: last });
    this.last = last;
    this.attempts = attempts;
    this.seconds = inSeconds(milliseconds);
  }
}

const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 3_000;

/**
 * Attempts until one succeeds, or fails with an error that does not pass. The pauses double, and each is a random part
 * of that, so that those who failed together do not come back together.
 *
 * @param attempt is told how many milliseconds are left
 * @throws GivenUp with what the last attempt threw
 */
export async function persist<T>(patience: Patience, attempt: (left: number) => Promise<T>): Promise<T> {
  const began = performance.now();
  for (let number = 1; ; number++) {
    try {
      return await attempt(patience.limit - (performance.now() - began));
    } catch (error) {
      const limit = Math.min(patience.limit, patience.limitOf?.(error) ?? patience.limit);
      const longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (number - 1));
      const pause = longest * (0.5 + Math.random() / 2);
      const elapsed = performance.now() - began;
      if (!patience.isPassing(error) || elapsed + pause > limit) throw gaveUp(error, number, elapsed);
      patience.retrying?.(error);
      await sleep(pause);
    }
  }
}

const gaveUp = (last: unknown, attempts: number, elapsed: number): GivenUp => new GivenUp(last, attempts, elapsed);

/**
 * Runs `act` with a signal that is aborted after so long without progress. What takes no notice of the signal is not
 * waited for.
 *
 * @throws what `act` threw; a `TimeoutError` where it was aborted
 */
export async function inTime<T>(
  milliseconds: number,
  act: (signal: AbortSignal, progress: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(timedOut(milliseconds)), milliseconds);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => setImmediate(reject, signal.reason));
  });
  try {
    return await Promise.race([act(signal, () => timer.refresh()), late]);
  } catch (error) {
    throw signal.aborted ? timedOut(milliseconds, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(milliseconds: number, cause?: unknown): Error {
  const error = new Error(`no answer within ${inSeconds(milliseconds)} s`, { cause });
  error.name = "TimeoutError";
  return error;
}

/** For messages. */
function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
