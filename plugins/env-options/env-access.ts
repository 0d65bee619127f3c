/** `engine.env`: environment variables that must be set. */
import { EngineError } from "../../core/base/index.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns `engine.env`. Reading an unset or empty variable throws `ENV_MISSING` with its name. `in` and `Object.keys`
 * cover the variables that are set.
 *
 * @param env called on every access
 */
export function envAccess(env: () => Environment): Readonly<Record<string, string>> {
  const target: Readonly<Record<string, string>> = {};
  return new Proxy(target, {
    get(_target, name) {
      // Runtimes and libraries read these from any value, to await, serialise or print it.
      if (typeof name === "symbol" || name === "then" || name === "toJSON" || name in target) {
        return Reflect.get(target, name);
      }
      const value = env()[name];
      if (value) return value;
      const state = value === undefined ? "not set" : "empty";
      throw new EngineError(
        "ENV_MISSING",
        `The environment variable ${name} is ${state}. Set it. If it may be missing, check that "${name}" is in engine.env first.`,
      );
    },
    has: (_target, name) => typeof name === "string" && Boolean(env()[name]),
    ownKeys() {
      const known = env();
      return Object.keys(known).filter((name) => known[name]);
    },
    getOwnPropertyDescriptor(_target, name) {
      const value = typeof name === "string" ? env()[name] : undefined;
      return value ? { value, enumerable: true, configurable: true, writable: false } : undefined;
    },
    defineProperty: () => false,
    deleteProperty: () => false,
  });
}
