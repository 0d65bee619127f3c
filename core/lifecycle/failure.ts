/** What went wrong with a resource, as an error that names it. */
import { EngineError, messageOf } from "../errors.js";
import type { Action } from "../vocabulary.js";

/** An error that the program's own promises or the engine threw, with the resource that met it. */
export function withFqn(error: unknown, fqn: string): unknown {
  if (!(error instanceof EngineError) || error.fqn !== undefined) return error;
  return new EngineError(error.code, `"${fqn}": ${error.message}`, { fqn, cause: error });
}

/** A handler's error, whatever it threw. */
export function handlerFailed(action: Action, fqn: string, error: unknown): EngineError {
  if (error instanceof EngineError && error.fqn === fqn) return error;
  const code = error instanceof EngineError ? error.code : "HANDLER_FAILED";
  return new EngineError(code, `${action} of "${fqn}" failed: ${messageOf(error)}`, { fqn, cause: error });
}
