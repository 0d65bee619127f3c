import { EngineError, messageOf } from "../../../core/base/index.js";

/** Something that was looked for is not there, or cannot be reached. */
export function missing(message: string, cause?: unknown): EngineError {
  return new EngineError("PROVIDER_MISSING", message, { cause });
}

/** Something is there, and is not what it should be. */
export function unverified(message: string, cause?: unknown): EngineError {
  return new EngineError("PROVIDER_UNVERIFIED", message, { cause });
}

/** Of a failed connection `fetch` says the reason only in the cause. */
export function reasonOf(error: unknown): string {
  const { cause } = Object(error);
  if (cause instanceof AggregateError) return reasonOf({ cause: cause.errors[0] });
  return messageOf(cause ?? error) || String(Object(cause).code);
}
