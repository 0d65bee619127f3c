/** Errors: what tells one from another, without the rest of what libraries hang on them (requests, sockets). */
import { nameOf } from "./builtin.js";
import type { EncodedMembers } from "./keys.js";

const errorClasses: ReadonlyMap<string, (message: string) => Error> = new Map<string, (message: string) => Error>([
  ["TypeError", (message) => new TypeError(message)],
  ["RangeError", (message) => new RangeError(message)],
  ["SyntaxError", (message) => new SyntaxError(message)],
  ["ReferenceError", (message) => new ReferenceError(message)],
  ["EvalError", (message) => new EvalError(message)],
  ["URIError", (message) => new URIError(message)],
  ["AggregateError", (message) => new AggregateError([], message)],
]);

/** What is kept of an error: these members are encoded and decoded as those of a plain object are. */
export type ErrorParts = {
  readonly name: string;
  readonly message: string;
  /** The built-in class, where the name does not tell it. */
  readonly class?: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
};

export function partsOf(error: Error): ErrorParts {
  const { name, message, stack } = error;
  const builtin = builtinClassOf(error);
  return {
    name: String(name),
    message: String(message),
    ...(builtin !== classNamed(name) && { class: builtin }),
    ...(typeof stack === "string" && { stack }),
    ...("code" in error && error.code !== undefined && { code: error.code }),
    ...(Object.hasOwn(error, "cause") && { cause: error.cause }),
    ...("errors" in error && error.errors !== undefined && { errors: error.errors }),
  };
}

export function isErrorParts(value: unknown): value is ErrorParts {
  if (typeof value !== "object" || value === null || !("name" in value) || !("message" in value)) return false;
  return typeof value.name === "string" && typeof value.message === "string";
}

export function errorFrom(parts: ErrorParts): Error {
  const { name, message } = parts;
  const error = errorClasses.get(parts.class ?? name)?.(message) ?? new Error(message);
  // Without a recorded stack, the new error's own would point into the decoder.
  defineHidden(error, "stack", parts.stack ?? `${name}: ${message}`);
  if (error.name !== name) defineHidden(error, "name", name);
  if ("cause" in parts) defineHidden(error, "cause", parts.cause);
  if ("errors" in parts) defineHidden(error, "errors", parts.errors);
  return "code" in parts ? Object.assign(error, { code: parts.code }) : error;
}

/**
 * The part of an error's body that counts in comparisons: all but the stack, which has the paths of one machine and
 * the line numbers of one version of the program, so that every deployer would see a change.
 */
export function comparableError({ stack, ...rest }: EncodedMembers): EncodedMembers {
  return rest;
}

/** The nearest built-in class; also that of an error of another realm, which `instanceof` would miss. */
function builtinClassOf(error: Error): string {
  for (let at: object = error; at !== null; at = Object.getPrototypeOf(at)) {
    const name = nameOf(at);
    if (name !== undefined && errorClasses.has(name)) return name;
  }
  return "Error";
}

function classNamed(name: string): string {
  return errorClasses.has(name) ? name : "Error";
}

/** As the built-in classes define their members: not enumerable. */
function defineHidden(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, enumerable: false, configurable: true, writable: true });
}
