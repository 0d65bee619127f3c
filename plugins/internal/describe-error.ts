import { inspect } from "node:util";
import { EngineError } from "../../core/errors.js";
import { isOwnCode } from "../../core/own-package.js";
import { plainText } from "./plain-text.js";

/** Slips in the program: their messages do not tell where. */
const MISUSES: ReadonlySet<string> = new Set(["AMBIGUOUS_SCOPE", "INVALID_CALL", "INVALID_NAME", "NO_SCOPE"]);

/** The engine's own errors speak for themselves; of others, and of what lies behind, the stack is wanted. */
export function describeError(error: unknown): string {
  if (!(error instanceof EngineError)) return plainText(inspect(error));
  const place = MISUSES.has(error.code) ? placeOf(error) : "";
  const head = plainText(`${error.name} [${error.code}]: ${error.message}${place}`);
  const cause = newsBehind(error);
  return cause === undefined ? head : `${head}\n  because: ${describeError(cause)}`;
}

/** The program's own line. */
function placeOf({ stack = "" }: EngineError): string {
  const frames = stack.split("\n").filter((line) => /^ {4}at .*[/\\]/.test(line));
  const own = frames.find((frame) => !isOwnCode(frame) && !/node:|[/\\]node_modules[/\\]/.test(frame));
  return own === undefined ? "" : `\n${own}`;
}

/** The first cause that says more than the error itself. */
function newsBehind(error: EngineError): unknown {
  let { cause } = error;
  while (cause instanceof EngineError && error.message.includes(cause.message)) cause = cause.cause;
  return cause instanceof AggregateError || isToldAlready(error, cause) ? undefined : cause;
}

/** What the system refused to the library itself: its message says what, and the stack would show the library's code. */
function isToldAlready({ message }: EngineError, cause: unknown): boolean {
  if (!(cause instanceof Error) || !("syscall" in cause) || !message.includes(cause.message)) return false;
  const frames = (cause.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  const first = frames.find((frame) => !frame.includes("node:"));
  return first === undefined || isOwnCode(first);
}
