/** A value that is shown to nobody by accident, and encrypted wherever it is recorded. */

import { EngineError, INSPECT, MINUTE, monotonicNow } from "../../core/base/index.js";
import { WHOLE, type Whole } from "../../core/contract/index.js";
import { redactor } from "./known.js";
import { missingVariable } from "./missing-variable.js";

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
