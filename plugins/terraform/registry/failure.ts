import { EngineError, messageOf } from "../../../core/base/index.js";

/** Returns an error about a missing or unreachable provider. */
export function missing(message: string, cause?: unknown): EngineError {
  return new EngineError("PROVIDER_MISSING", message, { cause });
}

/** Returns an error about a provider that failed verification. */
export function unverified(message: string, cause?: unknown): EngineError {
  return new EngineError("PROVIDER_UNVERIFIED", message, { cause });
}

/** Returns the reason of an error. For a failed connection, `fetch` gives it only in the cause. */
export function reasonOf(error: unknown): string {
  const { cause } = Object(error);
  if (cause instanceof AggregateError) return reasonOf({ cause: cause.errors[0] });
  return messageOf(cause ?? error) || String(Object(cause).code);
}
