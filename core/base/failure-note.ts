/** Failures in plain texts, as events report them. */
import { inspect } from "node:util";
import { cut, EngineError, messageOf } from "./errors.js";
import { isOwnCode } from "./machine/own-files.js";
import type { StageHolder } from "./vocabulary.js";

/** An error as plain data. */
export interface FailureNote {
  /** Code of the error; `RUN_FAILED` if it is not an error of the engine. */
  readonly code: string;
  readonly message: string;
  /** FQN of the affected resource or scope. */
  readonly fqn?: string;
  /** Holder of the stage, for `STATE_LOCKED`. */
  readonly holder?: StageHolder;
  /** Causes that add information, nearest first, e.g. `Error: connect ECONNREFUSED`. */
  readonly causes: readonly string[];
  /** The program's own lines in the stack of the last of these. */
  readonly frames: readonly string[];
}

/** Maximum number of causes to follow. */
const DEEPEST = 20;
const MOST_FRAMES = 10;

/** Converts an error to plain data. @param error with nothing in it that others may not see */
export function failureNote(error: unknown): FailureNote {
  const chain = chainOf(error);
  const foreign = chain.filter((one) => !(one instanceof EngineError));
  const own = error instanceof EngineError ? error : undefined;
  const causes = own ? newCauses(chain) : chain;
  return {
    code: own?.code ?? "RUN_FAILED",
    message: cut(messageOf(error)),
    ...(own?.fqn === undefined ? {} : { fqn: own.fqn }),
    ...(own?.holder && { holder: own.holder }),
    causes: causes.map((one) => cut(headOf(one))),
    frames: framesOf(foreign.at(-1)),
  };
}

/** Returns the error and its causes, nearest first. */
function chainOf(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let last = error; chain.length < DEEPEST && last instanceof Error && last.cause !== undefined; ) {
    last = last.cause;
    if (chain.includes(last)) break;
    chain.push(last);
  }
  return chain;
}

/** Leaves out the engine's own errors whose message an earlier one contains; keeps all others. */
function newCauses([first, ...rest]: readonly unknown[]): readonly unknown[] {
  let said = messageOf(first);
  return rest.filter((error) => {
    const message = messageOf(error);
    const isNews = !(error instanceof EngineError) || !said.includes(message);
    said = `${said}\n${message}`;
    return isNews;
  });
}

function headOf(error: unknown): string {
  if (error instanceof EngineError) return `${error.name} [${error.code}]: ${error.message}`;
  if (error instanceof AggregateError)
    return [`${error.name}: ${error.message}`, ...error.errors.map(itemOf)].join("\n");
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === "string" ? error : inspect(error, { depth: 2, breakLength: Number.POSITIVE_INFINITY });
}

function itemOf(error: unknown): string {
  return `  - ${messageOf(error)}`;
}

/** Place of a module that cannot be parsed or linked: Node prints it before the message. */
function unparsed(error: Error, [place = ""]: readonly string[]): readonly string[] {
  return error instanceof SyntaxError && /^(file:|[/\\]|[a-z]:[/\\]).*:\d+$/i.test(place) ? [`    at ${place}`] : [];
}

/** Leaves out frames of Node, of packages, and of this library. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const lines = (error.stack ?? "").split("\n");
  const frames = [...unparsed(error, lines), ...lines.filter((line) => /^\s+at .*[/\\]/.test(line))];
  const own = frames.filter(
    (frame) => !isOwnCode(frame) && !["node:", "/node_modules/", "\\node_modules\\"].some((one) => frame.includes(one)),
  );
  return own.slice(0, MOST_FRAMES).map((frame) => frame.trim());
}
