/** One operation on a bucket: tried again where it failed in passing, until it succeeds, fails for good, or time is up. */
import { RetriesFailed, retry, withTimeout } from "../kit/retry.js";
import type { Connection, Connector } from "./client.js";
import { isPassing, isSkewed, isUnreachable } from "./error.js";
import { type Bucket, type S3Operation, storeFailed } from "./failure.js";

export interface Attempt extends Connection {
  readonly signal: AbortSignal;
  /** Something has come: the time without progress begins anew. */
  progress(): void;
}

export interface RequestSettings {
  readonly bucket: Bucket;
  readonly connector: Connector;
  readonly requestTimeout: number;
  readonly retryTimeout: number;
  warn?(code: string, message: string): void;
}

/** A service that was never reached has probably a wrong address. */
const FIRST_CONTACT = 5_000;
/** A clock that is wrong is allowed for by the SDK in its second attempt, and then no more. */
const SKEW_TIME = 2_000;
/** Bytes a second below which a connection counts as dead while a body is sent. */
const SLOWEST = 32 * 1024;
/** Time for an attempt that begins when the time is nearly up. */
const LEAST = 1_000;

export class Requests {
  readonly #settings: RequestSettings;
  #wasReached = false;
  /** True since an operation was given up: whoever comes next does not wait as long once more. */
  #isDown = false;
  #hasWarned = false;

  constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  /**
   * @param size bytes that are sent
   * @throws EngineError `STORE_FAILED`, `STORE_NOT_ATOMIC`, `PACKAGE_MISSING`
   */
  async run<T>(operation: S3Operation, size: number, attempt: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { connector, requestTimeout, retryTimeout, bucket } = this.#settings;
    const limit = this.#isDown ? 0 : retryTimeout;
    const limitOf = (error: unknown): number => this.#limitOf(error);
    const retrying = (error: unknown): void => this.#warn(operation, error);
    try {
      const answer = await connector.use((connection) =>
        retry({ limit, attemptLimit: requestTimeout, isPassing, limitOf, retrying }, (time) => {
          const patient = Math.max(time, Math.min(requestTimeout, LEAST)) + (size / SLOWEST) * 1_000;
          return withTimeout(patient, (signal, progress) => attempt({ ...connection, signal, progress }));
        }),
      );
      this.#wasReached = true;
      this.#isDown = false;
      return answer;
    } catch (error) {
      if (!(error instanceof RetriesFailed)) throw storeFailed(operation, bucket, error);
      const { last, attempts, seconds } = error;
      this.#isDown = isPassing(last);
      const tried = attempts > 1 ? `after ${attempts} attempts in ${seconds} s` : undefined;
      throw storeFailed(operation, bucket, last, tried);
    }
  }

  #limitOf(error: unknown): number {
    if (isSkewed(error)) return SKEW_TIME;
    return isUnreachable(error) && !this.#wasReached ? FIRST_CONTACT : Number.POSITIVE_INFINITY;
  }

  /** Once: a run that waits should say for what. */
  #warn({ act, key }: S3Operation, error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { warn, bucket, retryTimeout } = this.#settings;
    const reason = error instanceof Error ? error.message : String(error);
    warn?.(
      "STORE_RETRIED",
      `${bucket.location} failed to ${act} "${key}" (${reason}); it is tried again for up to ${retryTimeout / 1_000} s.`,
    );
  }
}
