import { inspect } from "node:util";
import { EngineError } from "../../core/errors.js";

/** The engine's own errors speak for themselves; of others, and of what lies behind, the stack is wanted. */
export function describeError(error: unknown): string {
  if (!(error instanceof EngineError)) return inspect(error);
  const head = `${error.name} [${error.code}]: ${error.message}`;
  const cause = newsBehind(error);
  return cause === undefined ? head : `${head}\n  because: ${describeError(cause)}`;
}

/** The first cause that says more than the error itself. */
function newsBehind(error: EngineError): unknown {
  let { cause } = error;
  while (cause instanceof EngineError && error.message.includes(cause.message)) cause = cause.cause;
  return cause instanceof AggregateError ? undefined : cause;
}
