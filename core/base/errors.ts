import type { StageHolder } from "./vocabulary.js";

/** Every code that an {@link EngineError} can carry; the page on errors explains each. */
export const errorCodes = [
  "ABORTED",
  "ALIAS_CONFLICT",
  "AMBIGUOUS_SCOPE",
  "COMMAND_FAILED",
  "DEPENDENTS_LEFT_OUT",
  "DUPLICATE_ID",
  "ENV_MISSING",
  "ERASE_REQUIRES_FORCE",
  "FENCED",
  "FILE_EXISTS",
  "HANDLER_FAILED",
  "INVALID_ARGUMENT",
  "INVALID_CALL",
  "INVALID_DEFINITION",
  "INVALID_NAME",
  "INVALID_OPTION",
  "INVALID_PROGRAM",
  "INVALID_PROPS",
  "KEY_COMMAND_FAILED",
  "KEY_INVALID",
  "KIND_CONFLICT",
  "KIND_MISMATCH",
  "KIND_UNKNOWN",
  "NO_SCOPE",
  "NOT_AWAITED",
  "NOT_CONFIRMED",
  "NOT_CREATED",
  "NOT_DELETED",
  "NOT_RECORDED",
  "NO_TUNNEL",
  "OUTPUTS_MISSING",
  "OUTSIDE_ROOT",
  "PACKAGE_MISSING",
  "PASSWORD_REQUIRED",
  "PENDING_IN_STRING",
  "PLAN_FAILED",
  "PLAN_MISMATCH",
  "PLAN_STALE",
  "PLUGIN_CONFLICT",
  "PLUGIN_FAILED",
  "PROCESS_FAILED",
  "PROTECTED",
  "PROVIDER_FAILED",
  "PROVIDER_MISSING",
  "PROVIDER_REFUSED",
  "PROVIDER_UNVERIFIED",
  "READ_ONLY",
  "RECOVERY_FAILED",
  "RUN_FAILED",
  "SECRET_UNDEFINED",
  "STATE_CORRUPT",
  "STATE_EXISTS",
  "STATE_FORGED",
  "STATE_FORMAT",
  "STATE_IDENTITY",
  "STATE_INCOMPLETE",
  "STATE_LOCKED",
  "STATE_MOVED",
  "STATE_RETIRED",
  "STATE_WENT_BACK",
  "STORE_FAILED",
  "STORE_NOT_ATOMIC",
  "TARGET_UNMATCHED",
  "TIMEOUT",
  "TOO_MANY_DELETES",
  "TUNNEL_FAILED",
  "UNKNOWN_VALUE",
  "UNRESOLVED",
  "UNSERIALIZABLE",
  "VETOED",
  "WRONG_PASSWORD",
] as const;

/** The codes that an {@link EngineError} may have. */
export type ErrorCode = (typeof errorCodes)[number];

/** What an error carries besides its code and message. */
export interface ErrorDetails {
  /** Fully qualified name of the resource or scope concerned. */
  readonly fqn?: string;
  /** Of `STATE_LOCKED`: who has the stage. An error of the same code that stands in place of its cause has that of the cause. */
  readonly holder?: StageHolder;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("scope-engine/error");

/** The only class of error that the library throws: its message says what, which and what to do. */
export class EngineError extends Error {
  /** @internal */
  static override readonly [Symbol.hasInstance] = isInstance;
  /** @internal */
  get [BRAND](): true {
    return true;
  }

  override readonly name: string = "EngineError";
  readonly code: ErrorCode;
  readonly fqn: string | undefined;
  /** Of `STATE_LOCKED`: who has the stage. Other errors have no such member. */
  declare readonly holder?: StageHolder;

  constructor(code: ErrorCode, message: string, { fqn, cause, holder = holderIn(cause, code) }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fqn = fqn;
    if (holder) this.holder = holder;
  }
}

/** What names the resource that has met an error, or the plugin, says no less than that error. */
function holderIn(cause: unknown, code: ErrorCode): StageHolder | undefined {
  return isEngineError(cause, code) ? cause.holder : undefined;
}

/** EngineError itself knows the errors of every copy of the package in the process; its subclasses know their own. */
function isInstance(this: unknown, value: unknown): boolean {
  if (this !== EngineError) return Function.prototype[Symbol.hasInstance].call(this, value);
  return typeof value === "object" && value !== null && BRAND in value;
}

/**
 * A run in which something failed; `errors` holds all of it, each with its FQN where it has one. A single `EngineError` among them gives
 * the run its code, otherwise the code is `RUN_FAILED`.
 */
export class RunFailedError extends EngineError {
  override readonly name = "RunFailedError";
  readonly errors: readonly unknown[];

  /** @param how what became of the run */
  constructor(fqn: string, errors: readonly unknown[], how: "failed" | "was interrupted" = "failed") {
    const list = errors.map((error) => `  - ${cut(messageOf(error)).replaceAll("\n", "\n    ")}`).join("\n");
    const cause = errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} errors`);
    super(isEngineError(cause) ? cause.code : "RUN_FAILED", `The run of "${fqn}" ${how}:\n${list}`, { fqn, cause });
    this.errors = errors;
  }
}

/** True for an error of this library, of that code where one is given. */
export function isEngineError(error: unknown, code?: ErrorCode): error is EngineError {
  return error instanceof EngineError && (code === undefined || error.code === code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws the error, or several as an AggregateError */
export function raise(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} errors`);
}

/** Empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** True for an error with one of the codes, e.g. `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}

/** True for the two errors that prove that nothing is at a path; every other one proves nothing. */
export function isAbsence(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}

/** The causes that are looked at. */
const DEEPEST = 20;

/** What was thrown, or an error in its place where that is nothing, or throws itself when somebody looks at it. */
export function readable(thrown: unknown): unknown {
  if (thrown === undefined || thrown === null) return new Error(`it threw ${thrown}, and no error that says why`);
  if (typeof thrown !== "object" && typeof thrown !== "function") return thrown;
  try {
    look(thrown);
    return thrown;
  } catch (reason) {
    return new Error(`it threw something that cannot be read (${whyOf(reason)})`);
  }
}

function look(thrown: unknown): void {
  for (let at = thrown, depth = 0; at !== undefined && at !== null && depth < DEEPEST; depth++) {
    const { name, message, stack, code, cause } = Object(at);
    for (const text of [name, message, stack, code]) String(text);
    String(at);
    at = at instanceof Error ? cause : undefined;
  }
}

function whyOf(reason: unknown): string {
  try {
    return cut(messageOf(reason));
  } catch {
    return "and neither can the reason";
  }
}

/** True when importing `name` failed because it is not installed; false when one of its own imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  const message = messageOf(error);
  // What Vite puts in the place of an optional package that is not there.
  if (message.startsWith(`Could not resolve "${name}"`)) return true;
  return hasCode(error, "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND") && message.includes(`'${name}'`);
}

export function packageMissing(name: string, cause: unknown): EngineError {
  return new EngineError(
    "PACKAGE_MISSING",
    `The package ${name} is needed and is not installed. Install it: npm install ${name}`,
    { cause },
  );
}

/** Longer texts are cut where they are told or recorded: a whole answer of a service, say. */
const LONGEST = 10_000;

/** Of a text that is too long for people, the beginning, and how much more there is. */
export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`;
}
