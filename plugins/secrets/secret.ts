/** A value that is never shown by accident, and encrypted in the state. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { types } from "node:util";
import { EngineError, INSPECT, MINUTE, monotonicNow } from "../../core/base/index.js";
import { isPlainObject } from "../../core/codec/index.js";
import { WHOLE, type Whole } from "../../core/contract/index.js";
import { redactor } from "./redactor.js";

const BRAND = Symbol.for("scope-engine/secret");

const UNNAMED = "unnamed";

/** A name for people is not the name of a variable. */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/**
 * Any serialisable value that stays hidden: as text, in JSON and when printed it is `Secret(name)`. It is encrypted in
 * the state. Programs and handlers read it with `unencrypted`.
 */
export class Secret<T = string> implements Whole {
  readonly #value: T;
  /** When it was last registered with the redactor, in milliseconds. */
  #known: number;
  /** For people; recorded with the value inside the ciphertext. */
  readonly name: string;

  /** @throws EngineError `SECRET_UNDEFINED` with the name of the environment variable that is probably missing */
  constructor(value: T, name: string = UNNAMED) {
    if (value === undefined) throw undefinedSecret(name);
    this.#value = value;
    this.name = name;
    this.#known = monotonicNow();
    redactor.know(value);
  }

  /** @internal */
  get [BRAND](): true {
    return true;
  }

  /** A prop accepts a secret only if its type allows it; an object with the same members is not accepted. */
  get [WHOLE](): true {
    return true;
  }

  get unencrypted(): T {
    // The reader may print it, however old the secret is.
    if (monotonicNow() - this.#known > MINUTE) {
      this.#known = monotonicNow();
      redactor.know(this.#value);
    }
    return this.#value;
  }

  /** Returns the value as a secret; a secret stays as it is. */
  static wrap<T>(value: T | Secret<T>, name?: string): Secret<T> {
    return isSecret<T>(value) ? value : new Secret(value, name);
  }

  /** Returns the content of a secret; any other value stays as it is. */
  static unwrap<T>(value: T | Secret<T>): T {
    return isSecret<T>(value) ? value.unencrypted : value;
  }

  toString(): string {
    return `Secret(${this.name})`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.toPrimitive](): string {
    return this.toString();
  }

  [INSPECT](): string {
    return this.toString();
  }
}

/** Returns true for secrets of every copy of the package. */
export function isSecret<T = unknown>(value: unknown): value is Secret<T> {
  return typeof value === "object" && value !== null && BRAND in value;
}

function undefinedSecret(name: string): EngineError {
  const variable = missingVariable(new Error().stack) ?? (VARIABLE.test(name) ? name : undefined);
  const advice =
    variable === undefined
      ? "If an environment variable is missing, read it with engine.secret.env.NAME, whose error names the variable."
      : `Set the environment variable ${variable} if it is missing, or read it with engine.secret.env.${variable}.`;
  return new EngineError("SECRET_UNDEFINED", `A secret cannot be undefined. ${advice}`);
}

/** Files of this package between the program and this function. */
const OWN = /[/\\]secrets[/\\](secret|missing-variable|api)\.[jt]s$/;

const FRAME = /(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+):(\d+):\d+\)?$/;

const READ_OF_ENV = /\benv(?:\.([A-Za-z_]\w*)|\[\s*["'`]([^"'`]+)["'`]\s*\])/;

/** @param stack of an error that was created where the value was needed */
function missingVariable(stack: string | undefined): string | undefined {
  for (const line of (stack ?? "").split("\n")) {
    const [, where = "", number = ""] = FRAME.exec(line.trim()) ?? [];
    if (where === "" || OWN.test(where)) continue;
    const [, plain, quoted] = READ_OF_ENV.exec(lineOf(where, Number(number))) ?? [];
    return plain ?? quoted;
  }
  return undefined;
}

function lineOf(where: string, number: number): string {
  try {
    const path = where.startsWith("file:") ? fileURLToPath(where) : where;
    return readFileSync(path, "utf8").split("\n")[number - 1] ?? "";
  } catch {
    return ""; // Bundled, or deleted since it was loaded: the error message is enough.
  }
}

/** Returns decoded values with the content of secrets in their place. Pure. */
export function inClear(value: unknown): unknown {
  if (isSecret(value)) return inClear(value.unencrypted);
  if (Array.isArray(value)) return value.map(inClear);
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [inClear(key), inClear(member)]));
  if (types.isSet(value)) return new Set([...value].map(inClear));
  if (typeof value !== "object" || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inClear(member)]));
}
