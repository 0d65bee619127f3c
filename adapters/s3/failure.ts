/** How the store tells that a request failed: what, where, why, and what to do. */
import { EngineError, isEngineError, messageOf } from "../../core/base/index.js";
import {
  isForeign,
  isLocal,
  isNotHttp,
  isOfTls,
  isSkewed,
  isUnreachable,
  lacksRegion,
  NO_CREDENTIALS,
  refusedChecksum,
} from "./error.js";
import { codesOf, headerOf, saysCode, statusOf } from "./reply.js";

/** What was asked of a bucket. */
export interface S3Operation {
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

const EXPIRED = ["ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired", "InvalidToken", "RequestExpired"];
const UNKNOWN_KEYS = ["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSecurity", "NotSignedUp"];
const ELSEWHERE = [
  "PermanentRedirect",
  "TemporaryRedirect",
  "Redirect",
  "AuthorizationHeaderMalformed",
  "IllegalLocationConstraintException",
  "InvalidRegion",
];

/** @returns `cause` itself where it says all of that already */
export function storeFailed(operation: S3Operation, bucket: Bucket, cause: unknown, tried?: string): EngineError {
  if (isEngineError(cause)) return cause;
  const what = `Could not ${operation.act} "${operation.key}" in ${bucket.location}`;
  const said = `${tried === undefined ? "" : `${tried}: `}${saidBy(cause)}`;
  return new EngineError("STORE_FAILED", `${what}: ${said} ${adviceOn(cause, operation, bucket)}`, { cause });
}

export function notAtomic(bucket: Bucket, cause: unknown): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `${bucket.location} has no conditional writes (If-None-Match: it answers ${statusOf(cause) ?? "an error"}), without which two runs could not be kept apart. ` +
      "Use a store that has them: AWS S3, Ceph RGW, MinIO, Cloudflare R2; or redisStore().",
    { cause },
  );
}

/** Seen only while the store is in use: versioning may be switched on at any time. */
export function notAtomicAnyMore({ location }: Bucket): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `${location} keeps versions of objects, and in such buckets this service ignores conditional writes (If-None-Match), without which two runs could not be kept apart. ` +
      "Use a bucket in which versioning was never switched on, and move the state there: engine state migrate.",
  );
}

function saidBy(cause: unknown): string {
  const [code] = codesOf(cause);
  const status = statusOf(cause);
  // Some services send the code alone.
  if (isCodeAlone(cause)) return `HTTP ${status}, ${code}.`;
  if (isForeign(cause) || messageOf(cause) === "UnknownError") {
    return status === undefined ? `${messageOf(cause)}.` : `HTTP ${status}, and not in the words of S3.`;
  }
  const said = sentence(cause);
  return code === undefined || said.includes(code) ? said : `${code}: ${said}`;
}

function isCodeAlone(cause: unknown): boolean {
  return messageOf(cause) === "UnknownError" && saysCode(cause);
}

function sentence(cause: unknown): string {
  const message = messageOf(cause).trim();
  return /[.!?]$/.test(message) ? message : `${message || "no reason was given"}.`;
}

function adviceOn(cause: unknown, { needs }: S3Operation, { name, region }: Bucket): string {
  const codes = codesOf(cause);
  const is = (...known: readonly string[]): boolean => codes.some((code) => known.includes(code));
  if (is("NoSuchBucket")) return `There is no bucket "${name}": create it, or correct { bucket }.`;
  const right = regionIn(cause);
  const target = headerOf(cause, "location");
  if (isForeign(cause) && !right) {
    const redirects = target && URL.canParse(target) ? `It redirects to ${new URL(target).origin}` : "";
    return `${redirects || "What answers there is not S3, or something stands before it"}: check { endpoint } and the network.`;
  }
  if (is(...ELSEWHERE) || statusOf(cause) === 301) {
    return `The bucket "${name}" is in ${right ? `the region "${right}"` : "another region"}, not in ${region ? `"${region}"` : "the configured one"}: pass { region${right ? `: "${right}"` : ""} }.`;
  }
  if (is(...EXPIRED)) return "The credentials have expired: renew them (for SSO: aws sso login), then run again.";
  if (isSkewed(cause)) return `${skewIn(cause)} Set this machine's clock, then run again.`;
  if (is(...UNKNOWN_KEYS)) return "The store does not know this access key, or the secret key is another one's.";
  if (is(...NO_CREDENTIALS)) return "No credentials were found: set AWS_PROFILE, pass { profile } or { credentials }.";
  const checksum = refusedChecksum(cause);
  if (checksum !== undefined) {
    return `The service refuses the header "${checksum}" of your S3 client. Make the client with { requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" }.`;
  }
  if (is("NoSuchUpload", "InvalidStorageClass", "InvalidTag", "InvalidArgument")) {
    return "Check { storageClass }, { tags } and { serverSideEncryption }.";
  }
  if (codes.some((code) => code.startsWith("KMS."))) return "Check { kmsKeyId } and the key's policy.";
  if (statusOf(cause) === 403) return `Without the right to do so: grant ${needs.join(", ")} on the bucket "${name}".`;
  return adviceWithoutAnswer(cause);
}

function adviceWithoutAnswer(cause: unknown): string {
  const codes = codesOf(cause);
  if (lacksRegion(cause)) return "Pass { region }, or set AWS_REGION.";
  if (isLocal(cause) || codes.includes("InvalidBucketName")) return LOCAL_ADVICE;
  if (isNotHttp(cause)) return "What answers there does not speak HTTP: check the port in { endpoint }.";
  if (isOfTls(cause)) return tlsAdvice(codes);
  if (isUnreachable(cause)) return "Check { endpoint } and the network, then run again.";
  return "Run again when the store answers.";
}

const LOCAL_ADVICE =
  "Correct { bucket }, which is a name alone (a folder in it is { prefix }), { region }, or what gives the { credentials }.";

function tlsAdvice(codes: readonly string[]): string {
  if (codes.some((code) => /^(EPROTO|ERR_SSL)/.test(code)))
    return "The port speaks no TLS: write http:// in { endpoint }, or name another port.";
  if (codes.includes("ERR_TLS_CERT_ALTNAME_INVALID"))
    return "The certificate bears another name: correct { endpoint }, or pass { forcePathStyle: true }.";
  return "The certificate is not trusted: name the authority's certificate in NODE_EXTRA_CA_CERTS, or correct { endpoint }.";
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
