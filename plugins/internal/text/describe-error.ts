import { inspect } from "node:util";
import {
  EngineError,
  type FailureNote,
  failureNote,
  isOwnCode,
  messageOf,
  RunFailedError,
} from "../../../core/base/index.js";
import { plainText } from "./plain-text.js";

/** Takes the column in which other lines name the action. */
export const ERROR = "error    ";

const MARGIN = " ".repeat(ERROR.length);

/** Mistakes in the program: their messages do not name the place. */
const MISUSES: ReadonlySet<string> = new Set([
  "AMBIGUOUS_SCOPE",
  "INVALID_CALL",
  "INVALID_DEFINITION",
  "INVALID_NAME",
  "NO_SCOPE",
]);

/**
 * Describes an error outside of any run in lines for people: the message, its causes, and the nearest line of the
 * program.
 *
 * @param isVerbose with all stacks
 */
export function describeError(error: unknown, isVerbose = false): string {
  if (isVerbose) return `${ERROR}${plainText(inspect(error))}`;
  const texts = error instanceof EngineError ? textsOf(error) : [foreignText(error), ...importHint(messageOf(error))];
  const isNew = (frame: string): boolean => !texts.some((text) => text.includes(frame.slice("at ".length)));
  const frames = ownFrame(error)
    .filter(isNew)
    .map((frame) => `    ${frame}`);
  const [first = "", ...rest] = [...texts.flatMap((text) => plainText(text).split("\n")), ...frames];
  return [`${ERROR}${first}`, ...rest.map((line) => `${MARGIN}${line}`)].join("\n");
}

/** The message of a run with several errors already contains them. */
function textsOf(error: EngineError): readonly string[] {
  const note = failureNote(error);
  return failureTexts(error instanceof RunFailedError && error.errors.length > 1 ? { ...note, causes: [] } : note);
}

/** For a file that cannot be parsed, Node names the place before the first frame. */
function foreignText(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : inspect(error);
  const { name, message, stack = "" } = error;
  const [head = ""] = stack.split(/\n {4}at /, 1);
  return head.includes(message) && message !== "" ? head : `${name}: ${message}`;
}

/** Returns the program's own line. */
function ownFrame(error: unknown): readonly string[] {
  if (error instanceof EngineError && MISUSES.has(error.code)) return framesOf(error).filter(isProgram).slice(0, 1);
  // Several errors have several places. For an error of the library's own call, the message is enough.
  if (error instanceof RunFailedError && error.errors.length > 1) return [];
  if (error instanceof EngineError && isOwnCode(framesOf(error.cause).find((one) => !one.includes("node:")) ?? ""))
    return [];
  return failureNote(error).frames.slice(0, 1);
}

function framesOf(error: unknown): readonly string[] {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return stack.split("\n").flatMap((line) => (/^ {4}at .*[/\\:]/.test(line) ? line.trim() : []));
}

function isProgram(frame: string): boolean {
  return !isOwnCode(frame) && !/node:|[/\\]node_modules[/\\]/.test(frame);
}

/** Their messages say only that something failed. */
const PLAIN: ReadonlySet<string> = new Set(["HANDLER_FAILED", "RUN_FAILED"]);

/** @returns the message with its code, then a text for each cause with new information */
export function failureTexts({ code, message, causes }: FailureNote): readonly string[] {
  const reason = reasonIn(message);
  const [nearest = "", ...others] = causes;
  // A cause that only repeats the message replaces it.
  const isSame = nearest === reason || nearest.endsWith(`: ${reason}`);
  const what = isSame ? nearest.replace(/^Error: /, "") : reason;
  // The places where a package was searched concern only the library.
  const behind = code === "PACKAGE_MISSING" ? [] : isSame ? others : causes;
  const news = behind.filter((cause) => !message.includes(cause.replace(/^\w+( \[\w+\])?: /, "")));
  const [first = "", ...rest] = what.split("\n");
  return [
    [`${first}${PLAIN.has(code) ? "" : ` [${code}]`}`, ...rest].join("\n"),
    ...news.map((cause) => `because: ${cause}`),
    ...importHint([message, ...causes].join("\n")),
  ];
}

/** Returns a message without its prefix, which names the resource and the action. */
export function reasonIn(message: string): string {
  return message.replace(/^[a-z]+ of ".*?" failed: /, "");
}

/** By entry, the values that programs use most. */
export const IMPORTED: Readonly<Record<string, readonly string[]>> = {
  "scope-engine": ["engine", "definePlugin", "memoryStore", "Resource", "Secret"],
  // `File` is also a class of Node, so that calling it gives another error.
  "scope-engine/resources": ["Command", "CopyFile", "File", "Folder", "Password", "Process", "RandomString"],
};

/** As Node, Deno, Bun and Safari's engine word it. */
const MISSING = [
  /\b(\w+) is not defined\b/,
  /\bClass constructor (\w+) cannot be invoked without 'new'/,
  /\bCannot call a class constructor (\w+) without \|new\|/,
  /\bCan't find variable: (\w+)/,
];

/** Returns the import to write, as a sentence; nothing if the message is about something else. */
function importHint(message: string): readonly string[] {
  for (const pattern of MISSING) {
    const [, name = ""] = pattern.exec(message) ?? [];
    const [entry] = Object.entries(IMPORTED).find(([, names]) => names.includes(name)) ?? [];
    if (entry !== undefined) return [`Is its import missing? import { ${name} } from "${entry}";`];
  }
  return [];
}
