/** Store for state in a bucket: AWS S3 and compatible services with conditional writes. */
import type { Environment } from "../../core/base/index.js";
import type { StoreFactory } from "../../core/contract/index.js";
import { invalid } from "../kit/options.js";
import { openBucket, type S3Store } from "./open.js";
import { checkS3Options, type S3StoreOptions } from "./options.js";

export type { S3Store } from "./open.js";
export type { S3StoreOptions } from "./options.js";

/**
 * Returns the `stateStore` option for state in a bucket. It needs the package `@aws-sdk/client-s3`, which is loaded
 * with the first request.
 *
 * @param options Without them the environment names the bucket: `ENGINE_STATE`
 * (`s3://BUCKET/PREFIX?region=…&endpoint=…`), else `ENGINE_S3_BUCKET` with `AWS_REGION` and `AWS_ENDPOINT_URL_S3`.
 * @throws EngineError `INVALID_OPTION`, also from `engine()` if the environment names no bucket
 * @example
 * ```ts
 * await engine("my-app", { stateStore: s3Store({ bucket: "team-state", region: "eu-central-1" }) });
 * await engine("my-app", { stateStore: s3Store() });
 * ```
 */
export function s3Store(options?: S3StoreOptions): StoreFactory<S3Store> {
  if (options === undefined) {
    const factory: StoreFactory<S3Store> = (context) => s3Store(optionsIn(context.env ?? process.env))(context);
    return Object.assign(factory, { schemes: ["s3"] });
  }
  checkS3Options(options);
  return ({ profile, warn }) => {
    const isAsked = options.client === undefined && options.profile === undefined && profile !== undefined;
    return openBucket(isAsked ? { ...options, profile } : options, warn);
  };
}

function optionsIn({ ENGINE_S3_BUCKET, AWS_REGION, AWS_ENDPOINT_URL_S3 }: Environment): S3StoreOptions {
  if (!ENGINE_S3_BUCKET) {
    const where = "pass { bucket }, or set ENGINE_S3_BUCKET, or ENGINE_STATE to s3://BUCKET/PREFIX";
    throw invalid(`s3Store() needs a bucket: ${where}.`);
  }
  return {
    bucket: ENGINE_S3_BUCKET,
    ...(AWS_REGION && { region: AWS_REGION }),
    ...(AWS_ENDPOINT_URL_S3 && { endpoint: AWS_ENDPOINT_URL_S3 }),
  };
}

/**
 * Returns the store in a bucket.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function s3StoreAt(options: S3StoreOptions): S3Store {
  checkS3Options(options);
  return openBucket(options);
}
