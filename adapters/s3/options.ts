/** Options of a store in a bucket. */
import type { S3Client, S3ClientConfig, ServerSideEncryption, StorageClass } from "@aws-sdk/client-s3";
import { checkGiven, flag, isText, text } from "../../core/base/index.js";
import { DURATION, invalid, isDuration, isTexts } from "../kit/options.js";

/** Options of {@link s3Store}: the bucket, and how to access it. */
export interface S3StoreOptions {
  /** Name of the bucket, which must exist. */
  readonly bucket: string;
  /** Folder of the state in the bucket, e.g. `"team/state"`. Default: none. */
  readonly prefix?: string;
  /** AWS region of the bucket. Default: that of the AWS configuration; with an `endpoint`, `"us-east-1"`. */
  readonly region?: string;
  /** URL of another S3-compatible service. Default: AWS. */
  readonly endpoint?: string;
  /** Profile of the AWS configuration. Default: the run's `profile`, else that of the AWS configuration. */
  readonly profile?: string;
  /** Keys, or a function that gets them. Default: the AWS credential chain (environment, SSO, roles …). */
  readonly credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Your own client, which the store does not close. It cannot be combined with connection options. */
  readonly client?: S3Client;
  /** Put the bucket's name in the path instead of the host. Default: true with an `endpoint`, else false. */
  readonly forcePathStyle?: boolean;
  /** Encryption by the service, e.g. `"AES256"` or `"aws:kms"`. Default: that of the bucket. */
  readonly serverSideEncryption?: ServerSideEncryption;
  /** Key for `"aws:kms"`. Default: the account's. */
  readonly kmsKeyId?: string;
  /** Storage class, e.g. `"STANDARD_IA"`. A class whose objects must be restored first makes the state unreadable. */
  readonly storageClass?: StorageClass;
  /** Tags of every object. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Milliseconds without any progress after which a request counts as unanswered. Default: 10,000. */
  readonly requestTimeout?: number;
  /** Milliseconds for which the engine retries a request after a temporary failure. Default: 30,000. */
  readonly retryTimeout?: number;
}

/** Options for creating a client. */
const OF_CLIENT = ["region", "endpoint", "profile", "credentials", "forcePathStyle"] as const;

/** @throws EngineError `INVALID_OPTION` */
export function checkS3Options(options: S3StoreOptions): void {
  checkGiven("s3Store", options, {
    bucket: { allowed: "the name of a bucket", isRequired: true, accepts: isText },
    prefix: { allowed: "a string", accepts: (value) => typeof value === "string" },
    region: text,
    endpoint: { allowed: "the URL of a service, https:// or http://", accepts: isAddress },
    profile: text,
    credentials: {
      allowed: "credentials or a function",
      accepts: (value) => typeof value === "function" || (typeof value === "object" && value !== null),
    },
    client: { allowed: "an S3Client", accepts: isClient },
    forcePathStyle: flag,
    serverSideEncryption: text,
    kmsKeyId: text,
    storageClass: text,
    tags: { allowed: "an object of strings", accepts: isTexts },
    requestTimeout: { allowed: DURATION, accepts: isDuration },
    retryTimeout: { allowed: DURATION, accepts: isDuration },
  });
  const beside = options.client === undefined ? [] : OF_CLIENT.filter((name) => options[name] !== undefined);
  if (beside.length > 0)
    throw invalid(
      `s3Store(): "client" cannot be combined with ${beside.map(quoted).join(", ")}. Pass only "client", and set the rest in that client.`,
    );
}

/** Checks for an HTTP URL. `localhost:9000` would be a URL, too, with the scheme "localhost". */
function isAddress(value: unknown): boolean {
  return isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value);
}

function isClient(value: unknown): boolean {
  return typeof value === "object" && value !== null && "send" in value && typeof value.send === "function";
}

const quoted = (name: string): string => `"${name}"`;
