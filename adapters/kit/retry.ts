/** Trying again, within limits. */
import { setTimeout as sleep } from "node:timers/promises";

export interface RetryLimits {
  /** Milliseconds after which nothing is tried again. */
  readonly limit: number;
  /** Milliseconds that one attempt may take. */
  readonly attemptLimit: number;
  /** Milliseconds between two attempts at most. Default: 3 s. */
  readonly longestPause?: number;
  /** True where another attempt may succeed. */
  isPassing(error: unknown): boolean;
  /** Less time for some errors, in milliseconds. */
  limitOf?(error: unknown): number;
  /** Called when the first attempt has failed in passing, and others will follow. */
  retrying?(error: unknown): void;
}

/** No answer came in time. */
class Late extends Error {
  override readonly name = "TimeoutError";

  constructor(milliseconds: number, cause?: unknown) {
    const time = milliseconds < 1_000 ? `${milliseconds} ms` : `${inSeconds(milliseconds)} s`;
    super(`no answer within ${time}${toldBySystem(cause)}`, { cause });
  }
}

/** What is known besides that the time is up, e.g. that nobody listens at an address. */
function toldBySystem(cause: unknown): string {
  return cause instanceof Error && "syscall" in cause ? ` (${cause.message})` : "";
}

/** What came of all attempts. */
export class RetriesFailed extends Error {
  /** Why: what the last attempt threw that had all the time it may take, or learned something in less. */
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
 * @param attempt is told how many milliseconds it has: fewer where the time is nearly up
 * @throws GivenUp
 */
export async function retry<T>(limits: RetryLimits, attempt: (time: number) => Promise<T>): Promise<T> {
  const { limit, attemptLimit, longestPause = LONGEST_PAUSE, isPassing, limitOf, retrying } = limits;
  const began = performance.now();
  let last: unknown;
  for (let number = 1; ; number++) {
    const left = Math.ceil(limit - (performance.now() - began));
    try {
      return await attempt(Math.max(1, Math.min(attemptLimit, left)));
    } catch (error) {
      // One that the end of the time cut short has learned nothing: what an earlier one was told stays the reason.
      last = error instanceof Late && left < attemptLimit ? (last ?? error) : error;
      const pause = Math.min(longestPause, FIRST_PAUSE * 2 ** (number - 1)) * (0.5 + Math.random() / 2);
      const elapsed = performance.now() - began;
      const end = Math.min(limit, limitOf?.(error) ?? limit);
      if (!isPassing(error) || elapsed + pause > end) throw gaveUp(last, number, elapsed);
      retrying?.(error);
      await sleep(pause);
    }
  }
}

const gaveUp = (last: unknown, attempts: number, elapsed: number): RetriesFailed =>
  new RetriesFailed(last, attempts, elapsed);

/**
 * Runs `act` with a signal that is aborted after so long without progress. What takes no notice of the signal is not
 * waited for.
 *
 * @throws what `act` threw, and then the signal is aborted, too; a `TimeoutError` where it was aborted
 */
export async function withTimeout<T>(
  milliseconds: number,
  act: (signal: AbortSignal, progress: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(() => controller.abort(new Late(milliseconds)), milliseconds);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => setImmediate(reject, signal.reason));
  });
  try {
    return await Promise.race([act(signal, () => timer.refresh()), late]);
  } catch (error) {
    const reason = signal.aborted ? new Late(milliseconds, error) : error;
    controller.abort(reason);
    throw reason;
  } finally {
    clearTimeout(timer);
  }
}

/** For messages. */
function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}
