/** A value that is shown to nobody by accident, and encrypted wherever it is recorded. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { types } from "node:util";
import { EngineError, INSPECT, MINUTE, monotonicNow } from "../../core/base/index.js";
import { isPlainObject } from "../../core/codec/index.js";
import { WHOLE, type Whole } from "../../core/contract/index.js";
import { redactor } from "./redactor.js";

const BRAND = Symbol.for("scope-engine/secret");

const UNNAMED = "unnamed";

/** A name for people is none of a variable. */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;

/**
 * Any serialisable value, kept out of sight: as text, in JSON and when printed it is `Secret(name)`. Where it is
 * recorded it is encrypted; the program and handlers read it by `unencrypted`.
 */
export class Secret<T = string> implements Whole {
  readonly #value: T;
  /** When it was last made known to what masks it, in milliseconds. */
  #known: number;
  /** For people; recorded with the value, inside of what is encrypted. */
  readonly name: string;

  /** @throws EngineError `SECRET_UNDEFINED`, naming the environment variable that is likely to be missing */
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

  /** A prop takes a secret where its type says so, and no object that looks like one. */
  get [WHOLE](): true {
    return true;
  }

  get unencrypted(): T {
    // Who has it now may print it, however long ago it was made.
    if (monotonicNow() - this.#known > MINUTE) {
      this.#known = monotonicNow();
      redactor.know(this.#value);
    }
    return this.#value;
  }

  /** The value as a secret; what is one already stays as it is. */
  static wrap<T>(value: T | Secret<T>, name?: string): Secret<T> {
    return isSecret<T>(value) ? value : new Secret(value, name);
  }

  /** What a secret holds; what is none stays as it is. */
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

/** True for secrets of every copy of the package. */
export function isSecret<T = unknown>(value: unknown): value is Secret<T> {
  return typeof value === "object" && value !== null && BRAND in value;
}

function undefinedSecret(name: string): EngineError {
  const variable = missingVariable(new Error().stack) ?? (VARIABLE.test(name) ? name : undefined);
  const advice =
    variable === undefined
      ? "Is an environment variable missing? engine.secret.env.NAME says which."
      : `Is the environment variable ${variable} missing? engine.secret.env.${variable} reads it.`;
  return new EngineError("SECRET_UNDEFINED", `A secret cannot be undefined. ${advice}`);
}

/** The files of this package that stand between the program and here. */
const OWN = /[/\\]secrets[/\\](secret|missing-variable|api)\.[jt]s$/;

const FRAME = /(file:\/\/\S+|\/\S+|[A-Za-z]:\\\S+):(\d+):\d+\)?$/;

const READ_OF_ENV = /\benv(?:\.([A-Za-z_]\w*)|\[\s*["'`]([^"'`]+)["'`]\s*\])/;

/** @param stack of an error made where the value was needed */
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
    return ""; // Bundled, or gone since it was loaded: the error says the rest.
  }
}

/** Decoded values with what secrets hold in their place. Pure. */
export function inClear(value: unknown): unknown {
  if (isSecret(value)) return inClear(value.unencrypted);
  if (Array.isArray(value)) return value.map(inClear);
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [inClear(key), inClear(member)]));
  if (types.isSet(value)) return new Set([...value].map(inClear));
  if (typeof value !== "object" || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inClear(member)]));
}
