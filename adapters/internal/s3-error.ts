/** What an error of the SDK means: whether to try again, and what to tell its reader. */
import { EngineError, isEngineError, messageOf } from "../../core/errors.js";
import { codesOf, headerOf, statusOf } from "./s3-reply.js";

/** What was asked of a bucket. */
export interface Errand {
  /** E.g. "read". */
  readonly act: string;
  /** Key of the object, or what the keys begin with. */
  readonly key: string;
  /** IAM actions without which it is refused. */
  readonly needs: readonly string[];
}

export interface Bucket {
  readonly name: string;
  /** Where it is, for messages: "s3://bucket/prefix at https://…". */
  readonly location: string;
  readonly region: string | undefined;
}

/** Errors that the next attempt meets as well, though they come without an answer of the store. */
const HOPELESS = ["CredentialsProviderError", "CredentialsError", "TokenProviderError", "InvalidSignatureException"];
const EXPIRED = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken", "RequestExpired"];
const SKEWED = ["RequestTimeTooSkewed", "RequestInTheFuture"];
const UNKNOWN_KEYS = ["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "NotSignedUp"];
const ELSEWHERE = [
  "PermanentRedirect",
  "TemporaryRedirect",
  "Redirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
  "InvalidRegion",
];
/** Half an answer, whatever its status says, and 4xx answers that another attempt may not get. */
const PASSING = [
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "TimeoutError",
  "RequestTimeout",
  "OperationAborted",
  "ConditionalRequestConflict",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequestsException",
  "BadDigest",
];

/** True where another attempt may succeed: no answer, half an answer, or one that says "not now". */
export function isPassing(error: unknown): boolean {
  if (isEngineError(error)) return false;
  const codes = codesOf(error);
  if (codes.some((code) => HOPELESS.includes(code)) || lacksRegion(error)) return false;
  if (codes.some((code) => PASSING.includes(code) || SKEWED.includes(code))) return true;
  const status = statusOf(error);
  if (status === 501) return false;
  return status === undefined || status < 300 || status >= 500 || status === 408 || status === 429 || status === 409;
}

export function isSkewed(error: unknown): boolean {
  return codesOf(error).some((code) => SKEWED.includes(code));
}

/** The SDK has no name for it. */
function lacksRegion(error: unknown): boolean {
  return /region is missing/i.test(messageOf(error));
}

/** True where nothing was reached at all. */
export function isUnreachable(error: unknown): boolean {
  return codesOf(error).some((code) => ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH"].includes(code));
}

/** The key is not there; a bucket that is not there is another matter. */
export function isNoSuchKey(error: unknown): boolean {
  return codesOf(error).includes("NoSuchKey");
}

/** A conditional write met an object. */
export function isPreconditionFailed(error: unknown): boolean {
  return statusOf(error) === 412 || codesOf(error).includes("PreconditionFailed");
}

export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || codesOf(error).includes("NotImplemented");
}

/** @returns `cause` itself where it says all of that already */
export function storeFailed(errand: Errand, bucket: Bucket, cause: unknown, tried?: string): EngineError {
  if (isEngineError(cause)) return cause;
  const what = `Could not ${errand.act} "${errand.key}" in ${bucket.location}`;
  const code = codesOf(cause)[0];
  const reason = saidBy(cause);
  const parts = [tried, code === undefined || reason.includes(code) ? undefined : code, reason];
  const said = parts.filter((part) => part !== undefined).join(": ");
  return new EngineError("STORE_FAILED", `${what}: ${said} ${adviceOn(cause, errand, bucket)}`, { cause });
}

export function notAtomic(bucket: Bucket, cause: unknown): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `${bucket.location} has no conditional writes (If-None-Match: it answers ${statusOf(cause) ?? "an error"}), without which two runs could not be kept apart. ` +
      "Use a store that has them: AWS S3, Ceph RGW, MinIO, Cloudflare R2; or redisStore().",
    { cause },
  );
}

function saidBy(cause: unknown): string {
  const message = messageOf(cause).trim();
  return /[.!?]$/.test(message) ? message : `${message || "no reason was given"}.`;
}

function adviceOn(cause: unknown, { needs }: Errand, { name, region }: Bucket): string {
  const codes = codesOf(cause);
  const is = (...known: readonly string[]): boolean => codes.some((code) => known.includes(code));
  if (is("NoSuchBucket")) return `There is no bucket "${name}": create it, or correct { bucket }.`;
  if (is(...ELSEWHERE) || statusOf(cause) === 301) {
    const right = regionIn(cause);
    return `The bucket "${name}" is in ${right ? `the region "${right}"` : "another region"}, not in ${region ? `"${region}"` : "the configured one"}: pass { region${right ? `: "${right}"` : ""} }.`;
  }
  if (is(...EXPIRED)) return "The credentials have expired: renew them (for SSO: aws sso login), then run again.";
  if (isSkewed(cause)) return `${skewIn(cause)} Set this machine's clock, then run again.`;
  if (is(...UNKNOWN_KEYS)) return "The store does not know this access key, or the secret key is another one's.";
  if (is(...HOPELESS)) return "No credentials were found: set AWS_PROFILE, pass { profile } or { credentials }.";
  if (is("NoSuchUpload", "InvalidStorageClass", "InvalidTag", "InvalidArgument")) {
    return "Check { storageClass }, { tags } and { serverSideEncryption }.";
  }
  if (codes.some((code) => code.startsWith("KMS."))) return "Check { kmsKeyId } and the key's policy.";
  if (statusOf(cause) === 403) return `Without the right to do so: grant ${needs.join(", ")} on the bucket "${name}".`;
  if (lacksRegion(cause)) return "Pass { region }, or set AWS_REGION.";
  if (isUnreachable(cause)) return "Check { endpoint } and the network, then run again.";
  return "Run again when the store answers.";
}

/** The region that the store named in a header or in its message. */
function regionIn(cause: unknown): string | undefined {
  const header = headerOf(cause, "x-amz-bucket-region");
  return header ?? /expecting '([a-z0-9-]+)'/.exec(messageOf(cause))?.[1];
}

function skewIn(cause: unknown): string {
  const date = headerOf(cause, "date");
  return date === undefined ? "The clocks differ." : `The store's clock says ${date}.`;
}
