/** The functions of `engine.secret`, with which programs make secrets. */
import { EngineError } from "../../core/base/index.js";
import { Secret } from "./secret.js";

/** Reads secrets from the environment: `secret.env.NAME`, or `secret.env("NAME", fallback, message)`. */
export interface SecretEnv {
  readonly [name: string]: Secret;
  /**
   * @param fallback used if the variable is unset or empty
   * @param message of the error if there is no fallback
   * @throws EngineError `ENV_MISSING`
   */
  (name: string, fallback?: string, message?: string): Secret;
}

/** Makes secrets of values, and of environment variables with its `env`. */
export interface SecretFunction {
  /**
   * Makes a secret of any serialisable value.
   *
   * @param name for people, e.g. the name of the variable that it came from
   * @throws EngineError `SECRET_UNDEFINED`
   */
  <T>(value: T | Secret<T>, name?: string): Secret<T>;
  readonly env: SecretEnv;
}

/** @param env the environment, read again on every access */
export function secretFunction(env: () => Readonly<Record<string, string | undefined>>): SecretFunction {
  const read = (name: string, fallback?: string, message?: string): Secret => {
    const value = env()[name] || fallback;
    if (value !== undefined) return new Secret(value, name);
    throw new EngineError("ENV_MISSING", message ?? missing(name, env()[name]));
  };
  const secret = <T>(value: T | Secret<T>, name?: string): Secret<T> => Secret.wrap(value, name);
  return Object.assign(secret, { env: byName(read) });
}

const LOOKED_UP: ReadonlySet<string> = new Set(["then", "toJSON", "call", "apply", "bind", "constructor"]);

function byName(read: (name: string, fallback?: string, message?: string) => Secret): SecretEnv {
  return new Proxy(read, {
    get(target, name) {
      // Runtimes and libraries read these properties of any value: to await it, to serialise it, to print it.
      if (typeof name === "symbol" || LOOKED_UP.has(name)) return Reflect.get(target, name);
      return read(name);
    },
    set: () => false,
    defineProperty: () => false,
  }) as SecretEnv;
}

function missing(name: string, value: string | undefined): string {
  const state = value === undefined ? "not set" : "empty";
  return `The environment variable ${name} is ${state}. Set it, or pass a fallback: engine.secret.env("${name}", fallback).`;
}
