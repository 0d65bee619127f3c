/** Retries within limits. */
import { setTimeout as sleep } from "node:timers/promises";

export interface RetryLimits {
  /** Milliseconds after which there are no more retries. */
  readonly limit: number;
  /** Milliseconds that one attempt may take. */
  readonly attemptLimit: number;
  /** Maximum of milliseconds between two attempts. Default: 3,000. */
  readonly longestPause?: number;
  /** Returns true if another attempt may succeed. */
  isPassing(error: unknown): boolean;
  /** Returns a lower limit in milliseconds for some errors. */
  limitOf?(error: unknown): number;
  /** Called after a failed attempt that is retried. */
  retrying?(error: unknown): void;
}

/** Error of an attempt without an answer in time. */
class Late extends Error {
  override readonly name = "TimeoutError";

  constructor(milliseconds: number, cause?: unknown) {
    const time = milliseconds < 1_000 ? `${milliseconds} ms` : `${inSeconds(milliseconds)} s`;
    super(`no answer within ${time}${systemReason(cause)}`, { cause });
  }
}

/** Returns the reason that the system reported, e.g. that no process listens at an address. */
function systemReason(cause: unknown): string {
  return cause instanceof Error && "syscall" in cause ? ` (${cause.message})` : "";
}

/** Error after the last attempt. */
export class RetriesFailed extends Error {
  /** The most informative error: that of the last attempt that had its full time, or failed earlier. */
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
 * Retries until an attempt succeeds, or fails with a permanent error. The pauses double, with a random part, so that
 * clients that failed at the same time do not retry at the same time.
 *
 * @param attempt called with its time in milliseconds, which is shorter near the end of the limit
 * @throws RetriesFailed
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
      // An attempt that the limit cut short proves nothing, so the error of an earlier one stays the reason.
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
 * Runs `act` with a signal that aborts after this time without progress. If `act` ignores the signal, the call does not
 * wait for it.
 *
 * @throws the error of `act`, after which the signal is aborted, too; a `TimeoutError` after the timeout
 */
export function withTimeout<T>(
  milliseconds: number,
  act: (signal: AbortSignal, progress: () => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  return limited(
    milliseconds,
    (progress) => act(controller.signal, progress),
    (reason) => controller.abort(reason),
  );
}

/**
 * Limits work as `withTimeout` does, without a signal: Node takes longer to make one than to make a request to a fast
 * server. It makes one promise, because each promise takes time in a program with a current scope.
 *
 * @param stop called with the error, before the promise rejects with it
 */
export function limited<T>(
  milliseconds: number,
  act: (progress: () => void) => Promise<T>,
  stop: (reason: unknown) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    let isLate = false;
    const acting = act(() => timer?.refresh());
    timer = setTimeout(() => {
      isLate = true;
      const late = new Late(milliseconds);
      stop(late);
      setImmediate(reject, late);
    }, milliseconds);
    acting.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        const reason = isLate ? new Late(milliseconds, error) : error;
        stop(reason);
        reject(reason);
      },
    );
  });
}

/** True for the code of an error in which one side does not trust the other, or both cannot agree on TLS. */
export function isOfTls(code: string): boolean {
  return /^(EPROTO$|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code);
}

/** Rounds to seconds for messages. */
function inSeconds(milliseconds: number): number {
  return Math.round(milliseconds / 100) / 10;
}

/** The attempts of a store that are under way. They end with it. */
export class Attempts {
  readonly #over = new AbortController();
  readonly #running = new Set<AbortController>();

  /** Aborted when the store is closed. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /**
   * Makes an attempt that ends when it is late, or the store is closed. `AbortSignal.any` would keep a kilobyte for
   * each attempt as long as the store is open.
   */
  async run<T>(late: AbortSignal, attempt: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const end = new AbortController();
    if (this.signal.aborted) end.abort(this.signal.reason);
    late.addEventListener("abort", () => end.abort(late.reason), { once: true });
    this.#running.add(end);
    try {
      return await attempt(end.signal);
    } finally {
      this.#running.delete(end);
    }
  }

  end(reason: Error): void {
    this.#over.abort(reason);
    for (const attempt of this.#running) attempt.abort(reason);
  }
}
