/** The kinds of errors that the SDK throws, and whether another attempt may succeed. */
import { isEngineError, messageOf } from "../../core/base/index.js";
import { codesOf, refusedHeader, statusOf } from "./reply.js";

/** Name of an error for an answer that says "OK" and is not S3's. */
export const NOT_S3 = "NotS3";
/** Errors that the next attempt meets as well, though they come without an answer of the store. */
export const NO_CREDENTIALS = [
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
export function isLocal(error: unknown): boolean {
  if (statusOf(error) !== undefined || isForeign(error)) return false;
  const codes = codesOf(error);
  return codes.some((code) => LOCAL.includes(code)) || codes.every((code) => NAMELESS.includes(code));
}

/** Both sides cannot agree upon TLS, or one does not trust the other. */
export function isOfTls(error: unknown): boolean {
  return codesOf(error).some((code) =>
    /^(EPROTO$|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code),
  );
}

/** What came back is not HTTP, and no half of it. */
export function isNotHttp(error: unknown): boolean {
  return codesOf(error).some((code) => code.startsWith("HPE_") && code !== "HPE_INVALID_EOF_STATE");
}

/** The SDK has no name for it. */
export function lacksRegion(error: unknown): boolean {
  return /region is missing/i.test(messageOf(error));
}

/** True where nothing was reached at all. */
export function isUnreachable(error: unknown): boolean {
  return codesOf(error).some((code) => ["ENOTFOUND", "ECONNREFUSED", "EAI_AGAIN", "EHOSTUNREACH"].includes(code));
}

/** An answer that is not in the words of S3: a page, or none at all. */
export function isForeign(error: unknown): boolean {
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
