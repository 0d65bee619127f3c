/**
 * Runs an operation on a bucket, and retries it after temporary failures until it succeeds, fails, or the time is up.
 */

import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { DeleteObjectsCommand, GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { RetriesFailed, retry, withTimeout } from "../kit/retry.js";
import type { Connection, Connector } from "./client.js";
import { type Bucket, isPassing, isSkewed, isUnreachable, type S3Operation, storeFailed } from "./error.js";

export interface Attempt extends Connection {
  readonly signal: AbortSignal;
  /** Restarts the timeout, because data has arrived. */
  progress(): void;
}

export interface RequestSettings {
  readonly bucket: Bucket;
  readonly connector: Connector;
  readonly requestTimeout: number;
  readonly retryTimeout: number;
  warn?(code: string, message: string): void;
}

/** Milliseconds of retries for a service that was never reached: its address is probably wrong. */
const FIRST_CONTACT = 5_000;

/** Milliseconds of retries with a wrong clock. The SDK corrects it in its second attempt; more attempts do not help. */
const SKEW_TIME = 2_000;

/** Bytes per second below which a connection counts as dead while a body is sent. */
const SLOWEST = 32 * 1024;

/** Minimum of milliseconds for the last attempt. */
const LEAST = 1_000;

export class Requests {
  readonly #settings: RequestSettings;
  #wasReached = false;
  /** True after an operation failed with retries: the next one fails without retries. */
  #isDown = false;
  #hasWarned = false;

  constructor(settings: RequestSettings) {
    this.#settings = settings;
  }

  /**
   * Runs an operation with retries.
   *
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

  /** Warns once, so that a waiting run shows the reason. */
  #warn({ act, key }: S3Operation, error: unknown): void {
    if (this.#hasWarned) return;
    this.#hasWarned = true;
    const { warn, bucket, retryTimeout } = this.#settings;
    const reason = error instanceof Error ? error.message : String(error);
    warn?.(
      "STORE_RETRIED",
      `Could not ${act} "${key}" in ${bucket.location} (${reason}). The engine retries for up to ${retryTimeout / 1_000} s.`,
    );
  }
}

/** Bytes that count as progress, so that a body that arrives too slowly fails. */
const PIECE = 32 * 1024;

/** Reads the body as text. @param progress called when the body begins, and for each piece */
export async function textOf(
  { Body: body, ContentLength: length }: GetObjectCommandOutput,
  progress: () => void,
): Promise<string> {
  if (body === undefined) return "";
  const bytes =
    body instanceof Readable ? await collect(body, progress) : Buffer.from(await body.transformToByteArray());
  if (length === undefined || bytes.length === length) return bytes.toString("utf8");
  const error = new Error(`the reply ended after ${bytes.length} of ${length} bytes`);
  error.name = "IncompleteReply";
  throw error;
}

async function collect(stream: Readable, progress: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let unsaid = 0;
  progress();
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    unsaid += chunk.length;
    if (unsaid < PIECE) continue;
    progress();
    unsaid = 0;
  }
  return Buffer.concat(chunks);
}

/** Adds the older checksum to a batch of deletes: some services require it, and the SDK sends only the newer one. */
export function withMd5(command: DeleteObjectsCommand): DeleteObjectsCommand {
  command.middlewareStack.add(
    (next) => (args) => {
      const { request } = args;
      if (hasBody(request)) request.headers["content-md5"] = createHash("md5").update(request.body).digest("base64");
      return next(args);
    },
    { step: "build", name: "contentMd5" },
  );
  return command;
}

interface WithBody {
  readonly body: string | Uint8Array;
  readonly headers: Record<string, string>;
}

function hasBody(request: unknown): request is WithBody {
  if (typeof request !== "object" || request === null || !("body" in request) || !("headers" in request)) return false;
  return typeof request.body === "string" || request.body instanceof Uint8Array;
}
