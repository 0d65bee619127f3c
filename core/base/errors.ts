import type { StageHolder } from "./vocabulary.js";

/** All codes of an {@link EngineError}; the page on errors explains each. */
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
  "IMPORT_REFUSED",
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
  "QUEUE_FAILED",
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
  "WORKER_LOST",
  "WRONG_PASSWORD",
] as const;

/** A code of an {@link EngineError}. */
export type ErrorCode = (typeof errorCodes)[number];

/** Details of an error, in addition to its code and message. */
export interface ErrorDetails {
  /** Fully qualified name of the affected resource or scope. */
  readonly fqn?: string;
  /**
   * Holder of the stage, for `STATE_LOCKED`. An error that wraps a cause with the same code has the holder of its
   * cause.
   */
  readonly holder?: StageHolder;
  readonly cause?: unknown;
}

const BRAND = Symbol.for("scope-engine/error");

/** The only error class that the library throws. Its message says what failed, why, and what to do. */
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
  /** Holder of the stage, for `STATE_LOCKED`. Other errors have no such member. */
  declare readonly holder?: StageHolder;

  constructor(code: ErrorCode, message: string, { fqn, cause, holder = holderIn(cause, code) }: ErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.fqn = fqn;
    if (holder) this.holder = holder;
  }
}

/** An error that names the resource or plugin keeps the details of the error that it wraps. */
function holderIn(cause: unknown, code: ErrorCode): StageHolder | undefined {
  return isEngineError(cause, code) ? cause.holder : undefined;
}

/**
 * EngineError itself accepts the errors of every copy of the package in the process; its subclasses accept only their
 * own.
 */
function isInstance(this: unknown, value: unknown): boolean {
  if (this !== EngineError) return Function.prototype[Symbol.hasInstance].call(this, value);
  return typeof value === "object" && value !== null && BRAND in value;
}

/**
 * A run in which something failed. `errors` holds all failures, each with its FQN if it has one. A single `EngineError`
 * among them gives the run its code, otherwise the code is `RUN_FAILED`.
 */
export class RunFailedError extends EngineError {
  override readonly name = "RunFailedError";
  readonly errors: readonly unknown[];

  /** @param how outcome of the run */
  constructor(fqn: string, errors: readonly unknown[], how: "failed" | "was interrupted" = "failed") {
    const list = errors.map((error) => `  - ${cut(messageOf(error)).replaceAll("\n", "\n    ")}`).join("\n");
    const cause = errors.length === 1 ? errors[0] : new AggregateError(errors, `${errors.length} errors`);
    super(isEngineError(cause) ? cause.code : "RUN_FAILED", `The run of "${fqn}" ${how}:\n${list}`, { fqn, cause });
    this.errors = errors;
  }
}

/** Returns true for an error of this library, and of the given code if there is one. */
export function isEngineError(error: unknown, code?: ErrorCode): error is EngineError {
  return error instanceof EngineError && (code === undefined || error.code === code);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws the errors. @throws the error, or several as an AggregateError */
export function raise(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} errors`);
}

/** Returns the error's code, or an empty string without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Returns true for an error with one of the codes, e.g. `EEXIST`. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(codeOf(error));
}

/** Returns true for the two errors that prove that a path does not exist; no other error proves that. */
export function isAbsence(error: unknown): boolean {
  return hasCode(error, "ENOENT", "ENOTDIR");
}

/** Maximum number of causes to inspect. */
const DEEPEST = 20;

/** Returns the thrown value, or an error in its place if it is undefined or null, or throws when it is read. */
export function readable(thrown: unknown): unknown {
  if (thrown === undefined || thrown === null) return new Error(`it threw ${thrown} instead of an error`);
  if (typeof thrown !== "object" && typeof thrown !== "function") return thrown;
  try {
    readTexts(thrown);
    return thrown;
  } catch (reason) {
    return new Error(`it threw something that cannot be read (${whyOf(reason)})`);
  }
}

function readTexts(thrown: unknown): void {
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
    return "the reason cannot be read either";
  }
}

/** Returns true if importing `name` failed because it is not installed; false if one of its own imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  const message = messageOf(error);
  // Vite puts this into the place of an optional package that is missing.
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

/** Longer texts, e.g. a whole response of a service, are cut when they are reported or recorded. */
const LONGEST = 10_000;

/** Returns a text for people: of a long one, the beginning and the number of characters left out. */
export function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length - LONGEST} more characters)`;
}
