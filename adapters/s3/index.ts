/** State in a bucket: AWS S3 and services like it that have conditional writes. */
import type { StoreContext } from "../../core/contract/index.js";
import { openBucket, type S3Store } from "./open.js";
import { checkS3Options, type S3StoreOptions } from "./options.js";

export type { S3Store } from "./open.js";
export type { S3StoreOptions } from "./options.js";

/**
 * The `stateStore` option for state in a bucket. Needs the package `@aws-sdk/client-s3`, which is loaded with the first
 * request.
 *
 * @throws EngineError `INVALID_OPTION`
 * @example
 * ```ts
 * await engine("my-app", { stateStore: s3Store({ bucket: "team-state", region: "eu-central-1" }) });
 * ```
 */
export function s3Store(options: S3StoreOptions): (context: StoreContext) => S3Store {
  checkS3Options(options);
  return ({ profile, warn }) => {
    const isAsked = options.client === undefined && options.profile === undefined && profile !== undefined;
    return openBucket(isAsked ? { ...options, profile } : options, warn);
  };
}

/**
 * The store in a bucket.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function s3StoreAt(options: S3StoreOptions): S3Store {
  checkS3Options(options);
  return openBucket(options);
}
