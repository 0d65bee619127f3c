/** Classifies the errors of the SDK, and turns them into messages with advice. */
import { EngineError, isEngineError, messageOf } from "../../core/base/index.js";
import { isOfTls as isOfTlsCode } from "../kit/retry.js";

/** Name of an error for an "OK" answer that is not from S3. */
export const NOT_S3 = "NotS3";

/** Permanent errors without an answer of the store. */
const NO_CREDENTIALS = [
  "CredentialsProviderError",
  "CredentialsError",
  "TokenProviderError",
  "InvalidSignatureException",
];

const SKEWED = ["RequestTimeTooSkewed", "RequestInTheFuture"];

/** Generic names of errors in JavaScript. */
const NAMELESS = ["TypeError", "RangeError", "ReferenceError", "SyntaxError"];

const LOCAL = ["EndpointError", "InvalidBucketName", "ERR_INVALID_CHAR", "ERR_INVALID_URL"];

/** Codes of incomplete answers, with any status, and of 4xx answers that another attempt may not get. */
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

/** True if another attempt may succeed: there was no answer, an incomplete one, or one that means "not now". */
export function isPassing(error: unknown): boolean {
  if (isEngineError(error)) return false;
  const codes = codesOf(error);
  if (codes.some((code) => NO_CREDENTIALS.includes(code)) || isLocal(error) || isOfTls(error)) return false;
  if (isNotHttp(error)) return false;
  if (codes.some((code) => PASSING.includes(code) || SKEWED.includes(code))) return true;
  const status = statusOf(error);
  if (status === 501) return false;
  return status === undefined || status < 300 || status >= 500 || status === 408 || status === 429 || status === 409;
}

export function isSkewed(error: unknown): boolean {
  return codesOf(error).some((code) => SKEWED.includes(code));
}

/** True if nothing was sent: the SDK, or its credentials provider, threw before that, usually with a generic name. */
function isLocal(error: unknown): boolean {
  if (statusOf(error) !== undefined || isForeign(error)) return false;
  const codes = codesOf(error);
  return codes.some((code) => LOCAL.includes(code)) || codes.every((code) => NAMELESS.includes(code));
}

/** True if both sides cannot agree on TLS, or one does not trust the other. */
function isOfTls(error: unknown): boolean {
  return codesOf(error).some(isOfTlsCode);
}

/** True if the answer is not HTTP; an incomplete answer does not count. */
function isNotHttp(error: unknown): boolean {
  return codesOf(error).some((code) => code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE");
}

/** True if the region is missing. The SDK has no code for this error. */
function lacksRegion(error: unknown): boolean {
  return /region is missing/i.test(messageOf(error));
}

/** True if no server was reached. */
export function isUnreachable(error: unknown): boolean {
  return codesOf(error).some((code) => ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH"].includes(code));
}

/** True if the answer is not from S3: a web page, or an empty answer. */
function isForeign(error: unknown): boolean {
  const message = messageOf(error);
  const isMute = message === "UnknownError" && statusOf(error) !== 403;
  return isMute || message.includes("Deserialization error") || codesOf(error).includes(NOT_S3);
}

/** True if the key does not exist; a missing bucket is another error. */
export function isNoSuchKey(error: unknown): boolean {
  return codesOf(error).includes("NoSuchKey");
}

/** True if a conditional write found an object. */
export function isPreconditionFailed(error: unknown): boolean {
  return (statusOf(error) === 412 && !isForeign(error)) || codesOf(error).includes("PreconditionFailed");
}

/** Returns a refused checksum header: newer SDKs send some that not every service knows. */
export function refusedChecksum(error: unknown): string | undefined {
  const header = refusedHeader(error);
  return header !== undefined && CHECKSUM_HEADER.test(header) ? header : undefined;
}

const CHECKSUM_HEADER = /^(x-amz-(sdk-)?checksum|x-amz-trailer|x-amz-content-sha256|x-amz-decoded-|transfer-encoding)/;

export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || codesOf(error).includes("NotImplemented");
}

/**
 * Returns the HTTP status; undefined without an answer. Error classes differ between versions of the SDK, these members
 * do not.
 */
function statusOf(error: unknown): number | undefined {
  const metadata = memberOf(error, "$metadata");
  const status = memberOf(metadata, "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

/** @param name in lower case */
function headerOf(error: unknown, name: string): string | undefined {
  const value = memberOf(memberOf(memberOf(error, "$response"), "headers"), name);
  return typeof value === "string" ? value : undefined;
}

/** Returns the header that a service refuses, in lower case, if its answer names one. */
function refusedHeader(error: unknown): string | undefined {
  const named = memberOf(error, "Header") ?? memberOf(error, "ArgumentName");
  const said = String(memberOf(error, "message"));
  const header = typeof named === "string" ? named : /\b(?:x-amz-[a-z\d-]+|if-none-match)\b/i.exec(said)?.[0];
  return header?.toLowerCase();
}

/** Returns codes and names of an error and its causes, e.g. `NoSuchKey` or `ECONNRESET`. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error, depth = 0; one !== undefined && one !== null && depth < 5; depth++) {
    const inner = memberOf(one, "errors");
    for (const member of [memberOf(one, "Code"), memberOf(one, "code"), memberOf(one, "name")]) {
      if (typeof member === "string" && member !== "Error" && !codes.includes(member)) codes.push(member);
    }
    one = memberOf(one, "cause") ?? (Array.isArray(inner) ? inner[0] : undefined);
  }
  return codes;
}

/** True if the answer itself has a code of S3. */
function saysCode(error: unknown): boolean {
  return statusOf(error) !== undefined && typeof memberOf(error, "Code") === "string";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** An operation on a bucket. */
export interface S3Operation {
  /** Verb for messages, e.g. "read". */
  readonly act: string;
  /** Key of the object, or prefix of the keys. */
  readonly key: string;
  /** IAM actions that it needs. */
  readonly needs: readonly string[];
}

export interface Bucket {
  readonly name: string;
  /** Location for messages: "s3://bucket/prefix at https://…". */
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

/** @returns `cause` itself if it is already an EngineError */
export function storeFailed(operation: S3Operation, bucket: Bucket, cause: unknown, tried?: string): EngineError {
  if (isEngineError(cause)) return cause;
  const what = `Could not ${operation.act} "${operation.key}" in ${bucket.location}`;
  const said = `${tried === undefined ? "" : `${tried}: `}${saidBy(cause)}`;
  return new EngineError("STORE_FAILED", `${what}: ${said} ${adviceOn(cause, operation, bucket)}`, { cause });
}

export function notAtomic(bucket: Bucket, cause: unknown): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `${bucket.location} does not support conditional writes (it answers ${statusOf(cause) ?? "with an error"} to If-None-Match), so two runs could write at once. ` +
      "Use a service that supports them (AWS S3, Ceph RGW, MinIO, Cloudflare R2), or redisStore().",
    { cause },
  );
}

/** Error that may appear while a store is in use, because versioning may be switched on at any time. */
export function notAtomicAnyMore({ location }: Bucket): EngineError {
  return new EngineError(
    "STORE_NOT_ATOMIC",
    `${location} keeps versions of objects. In such buckets this service ignores conditional writes (If-None-Match), so two runs could write at once. ` +
      "Use a bucket in which versioning was never on, and move the state there: engine state migrate --to s3://BUCKET/PREFIX.",
  );
}

function saidBy(cause: unknown): string {
  const [code] = codesOf(cause);
  const status = statusOf(cause);
  // Some services send only the code.
  if (isCodeAlone(cause)) return `HTTP ${status}, ${code}.`;
  if (isForeign(cause) || messageOf(cause) === "UnknownError") {
    return status === undefined ? `${messageOf(cause)}.` : `HTTP ${status}.`;
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
  if (is("NoSuchBucket")) return `The bucket "${name}" does not exist. Create it, or correct { bucket }.`;
  const right = regionIn(cause);
  const target = headerOf(cause, "location");
  if (isForeign(cause) && !right) {
    const redirects = target && URL.canParse(target) ? `The address redirects to ${new URL(target).origin}` : "";
    return `${redirects || "The answer is not from S3. It may be from a proxy"}. Check { endpoint } and the network.`;
  }
  if (is(...ELSEWHERE) || statusOf(cause) === 301) {
    return `The bucket "${name}" is in ${right ? `the region "${right}"` : "another region"}, not in ${region ? `"${region}"` : "the configured one"}. Set the ${right ? `region to "${right}"` : "right region"} ({ region } or AWS_REGION).`;
  }
  if (is(...EXPIRED) || (is(...NO_CREDENTIALS) && /expired/i.test(messageOf(cause))))
    return "The credentials have expired or are not valid. Renew them (for SSO: aws sso login), then run again.";
  if (isSkewed(cause)) return `${skewIn(cause)} Correct this machine's clock, then run again.`;
  if (is(...UNKNOWN_KEYS))
    return "The store does not know this access key, or the secret key does not belong to it. Check { credentials }, { profile } or AWS_ACCESS_KEY_ID.";
  if (is(...NO_CREDENTIALS))
    return "No usable credentials were found. Set AWS_PROFILE, or pass { profile } or { credentials }.";
  const checksum = refusedChecksum(cause);
  if (checksum !== undefined) {
    return `The service refuses the header "${checksum}" of your S3 client. Create the client with { requestChecksumCalculation: "WHEN_REQUIRED", responseChecksumValidation: "WHEN_REQUIRED" }.`;
  }
  if (is("NoSuchUpload", "InvalidStorageClass", "InvalidTag", "InvalidArgument")) {
    return "Check { storageClass }, { tags } and { serverSideEncryption }.";
  }
  if (codes.some((code) => code.startsWith("KMS."))) return "Check { kmsKeyId } and the key's policy.";
  if (statusOf(cause) === 403) return `Permission is missing. Grant ${needs.join(", ")} on the bucket "${name}".`;
  return adviceWithoutAnswer(cause);
}

function adviceWithoutAnswer(cause: unknown): string {
  const codes = codesOf(cause);
  if (lacksRegion(cause)) return "Pass { region }, or set AWS_REGION.";
  if (isLocal(cause) || codes.includes("InvalidBucketName")) return LOCAL_ADVICE;
  if (isNotHttp(cause)) return "The answer is not HTTP. Check the port in { endpoint }.";
  if (isOfTls(cause)) return tlsAdvice(codes);
  if (isUnreachable(cause)) return "Check { endpoint } and the network, then run again.";
  return "Run again when the store answers.";
}

const LOCAL_ADVICE =
  "Correct { bucket }, { region } or { credentials }. { bucket } is only the name; a folder in it goes into { prefix }.";

function tlsAdvice(codes: readonly string[]): string {
  if (codes.some((code) => /^(EPROTO|ERR_SSL)/.test(code)))
    return "The service and the engine could not agree on TLS. If the port does not use TLS, write http:// in { endpoint }.";
  if (codes.includes("ERR_TLS_CERT_ALTNAME_INVALID"))
    return "The certificate is for another name. Correct { endpoint }, or pass { forcePathStyle: true }.";
  if (codes.includes("CERT_HAS_EXPIRED")) return "Renew the certificate of the service.";
  return "The certificate is not trusted. Set NODE_EXTRA_CA_CERTS to the authority's certificate, or correct { endpoint }.";
}

/** Returns the region that the store named in a header or in its message. */
function regionIn(cause: unknown): string | undefined {
  const header = headerOf(cause, "x-amz-bucket-region");
  return header ?? /expecting '([a-z0-9-]+)'/.exec(messageOf(cause))?.[1];
}

function skewIn(cause: unknown): string {
  const date = headerOf(cause, "date");
  const when = date === undefined ? "" : `, which says ${date}`;
  return `This machine's clock differs from the store's clock${when}.`;
}
