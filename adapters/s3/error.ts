/** The kinds of errors that the SDK throws, and whether another attempt may succeed. */
import { EngineError, isEngineError, messageOf } from "../../core/base/index.js";

/** Name of an error for an answer that says "OK" and is not S3's. */
export const NOT_S3 = "NotS3";

/** Errors that the next attempt meets as well, though they come without an answer of the store. */
const NO_CREDENTIALS = [
  "CredentialsProviderError",
  "CredentialsError",
  "TokenProviderError",
  "InvalidSignatureException",
];

const SKEWED = ["RequestTimeTooSkewed", "RequestInTheFuture"];

/** What JavaScript calls any error. */
const NAMELESS = ["TypeError", "RangeError", "ReferenceError", "SyntaxError"];

const LOCAL = ["EndpointError", "InvalidBucketName", "ERR_INVALID_CHAR", "ERR_INVALID_URL"];

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

/** Nothing was sent: the SDK, or what gives it credentials, has thrown before that, as a rule without a name of its own. */
function isLocal(error: unknown): boolean {
  if (statusOf(error) !== undefined || isForeign(error)) return false;
  const codes = codesOf(error);
  return codes.some((code) => LOCAL.includes(code)) || codes.every((code) => NAMELESS.includes(code));
}

/** Both sides cannot agree upon TLS, or one does not trust the other. */
function isOfTls(error: unknown): boolean {
  return codesOf(error).some((code) =>
    /^(EPROTO$|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code),
  );
}

/** What came back is not HTTP, and no half of it. */
function isNotHttp(error: unknown): boolean {
  return codesOf(error).some((code) => code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE");
}

/** The SDK has no name for it. */
function lacksRegion(error: unknown): boolean {
  return /region is missing/i.test(messageOf(error));
}

/** True where nothing was reached at all. */
export function isUnreachable(error: unknown): boolean {
  return codesOf(error).some((code) => ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH"].includes(code));
}

/** An answer that is not in the words of S3: a page, or none at all. */
function isForeign(error: unknown): boolean {
  const message = messageOf(error);
  const isMute = message === "UnknownError" && statusOf(error) !== 403;
  return isMute || message.includes("Deserialization error") || codesOf(error).includes(NOT_S3);
}

/** The key is not there; a bucket that is not there is another matter. */
export function isNoSuchKey(error: unknown): boolean {
  return codesOf(error).includes("NoSuchKey");
}

/** A conditional write met an object. */
export function isPreconditionFailed(error: unknown): boolean {
  return (statusOf(error) === 412 && !isForeign(error)) || codesOf(error).includes("PreconditionFailed");
}

/** A header that newer SDKs send with a checksum, and that not every service knows. */
export function refusedChecksum(error: unknown): string | undefined {
  const header = refusedHeader(error);
  return header !== undefined && CHECKSUM_HEADER.test(header) ? header : undefined;
}

const CHECKSUM_HEADER = /^(x-amz-(sdk-)?checksum|x-amz-trailer|x-amz-content-sha256|x-amz-decoded-|transfer-encoding)/;

export function isNotImplemented(error: unknown): boolean {
  return statusOf(error) === 501 || codesOf(error).includes("NotImplemented");
}

/** HTTP status of the answer; undefined: there was none. The SDK's classes of errors differ from version to version, its facts do not. */
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

/** The header that a service refuses, as far as its answer names one. In lower case. */
function refusedHeader(error: unknown): string | undefined {
  const named = memberOf(error, "Header") ?? memberOf(error, "ArgumentName");
  const said = String(memberOf(error, "message"));
  const header = typeof named === "string" ? named : /\b(?:x-amz-[a-z\d-]+|if-none-match)\b/i.exec(said)?.[0];
  return header?.toLowerCase();
}

/** Names by which an error may be known, those of its causes included, e.g. `NoSuchKey` or `ECONNRESET`. */
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

/** True where the answer itself has a code, in the words of S3. */
function saysCode(error: unknown): boolean {
  return statusOf(error) !== undefined && typeof memberOf(error, "Code") === "string";
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

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
