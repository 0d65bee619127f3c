/** What went wrong, in plain texts: as events tell it. */
import { inspect } from "node:util";
import { cut, EngineError, messageOf } from "./errors.js";
import { isOwnCode } from "./machine/own-files.js";
import type { StageHolder } from "./vocabulary.js";

/** An error as plain data. */
export interface FailureNote {
  /** Of the error; `RUN_FAILED` where it is not the engine's. */
  readonly code: string;
  readonly message: string;
  /** Of the resource or scope concerned. */
  readonly fqn?: string;
  /** Of `STATE_LOCKED`: who has the stage. */
  readonly holder?: StageHolder;
  /** What lies behind it and says something new, nearest first, e.g. `Error: connect ECONNREFUSED`. */
  readonly causes: readonly string[];
  /** Where the last of these was thrown: the lines of its stack that are the program's own. */
  readonly frames: readonly string[];
}

/** The causes that are followed at most. */
const DEEPEST = 20;
const MOST_FRAMES = 10;

/** @param error with nothing in it that others may not see */
export function failureNote(error: unknown): FailureNote {
  const chain = chainOf(error);
  const foreign = chain.filter((one) => !(one instanceof EngineError));
  const own = error instanceof EngineError ? error : undefined;
  const behind = own ? newsIn(chain) : chain;
  return {
    code: own?.code ?? "RUN_FAILED",
    message: cut(messageOf(error)),
    ...(own?.fqn === undefined ? {} : { fqn: own.fqn }),
    ...(own?.holder && { holder: own.holder }),
    causes: behind.map((one) => cut(headOf(one))),
    frames: framesOf(foreign.at(-1)),
  };
}

/** The error, and one after the other what caused it. */
function chainOf(error: unknown): readonly unknown[] {
  const chain = [error];
  for (let last = error; chain.length < DEEPEST && last instanceof Error && last.cause !== undefined; ) {
    last = last.cause;
    if (chain.includes(last)) break;
    chain.push(last);
  }
  return chain;
}

/** Of the engine's own errors behind another, only what that does not say; of others, all. */
function newsIn([first, ...rest]: readonly unknown[]): readonly unknown[] {
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

/** Where a module cannot be parsed or linked: Node says so before the message. */
function unparsed(error: Error, [place = ""]: readonly string[]): readonly string[] {
  return error instanceof SyntaxError && /^(file:|[/\\]|[a-z]:[/\\]).*:\d+$/i.test(place) ? [`    at ${place}`] : [];
}

/** Without those of Node, of packages, and of this library. */
function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  const lines = (error.stack ?? "").split("\n");
  const frames = [...unparsed(error, lines), ...lines.filter((line) => /^\s+at .*[/\\]/.test(line))];
  const own = frames.filter(
    (frame) => !isOwnCode(frame) && !["node:", "/node_modules/", "\\node_modules\\"].some((one) => frame.includes(one)),
  );
  return own.slice(0, MOST_FRAMES).map((frame) => frame.trim());
}
