import { isEngineError, RunFailedError } from "../../core/base/index.js";

/** 3 where the state belonged to another run, else 1. */
export function exitCodeOf(errors: readonly unknown[]): number {
  const parts = errors.flatMap((error) => (error instanceof RunFailedError ? error.errors : [error]));
  return parts.some((error) => isEngineError(error, "STATE_LOCKED") || isEngineError(error, "STATE_MOVED")) ? 3 : 1;
}
