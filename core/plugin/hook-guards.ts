/** What every tap is wrapped in: it is awaited, asked only where it wants to be, and its failure names its plugin. */
import { EngineError, isEngineError, messageOf } from "../base/index.js";
import type { HookName, TapOptions } from "../contract/index.js";
import { giveWord } from "./veto.js";

/** The tap, awaited whatever it returns, its failure naming plugin and hook. */
export function guarded<C, R>(
  { name: plugin, inPlans = false }: TapOptions,
  name: HookName,
  fn: (context: C) => R | Promise<R>,
) {
  return async (context: C): Promise<R | undefined> => {
    if (!inPlans && isPlanned(context)) return undefined;
    giveWord(context, plugin);
    try {
      return await fn(context);
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

/** The same for a hook that is synchronous. */
export function guardedSync<C, R>({ name: plugin }: TapOptions, name: HookName, fn: (context: C) => R) {
  return (context: C): R => {
    try {
      const answer = fn(context);
      if (!isThenable(answer)) return answer;
      // Its own outcome no longer matters, and must not end the process as an unhandled rejection.
      answer.then(undefined, () => undefined);
      throw new TypeError("the hook is synchronous, and the tap returned a promise.");
    } catch (error) {
      throw failure(plugin, name, context, error);
    }
  };
}

function isPlanned(context: unknown): boolean {
  return typeof context === "object" && context !== null && "planned" in context && context.planned === true;
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Said to whoever runs the program: the plugin that found it is of no interest to them. */
const spoken: ReadonlySet<string> = new Set([
  "FENCED",
  "INVALID_ARGUMENT",
  "INVALID_OPTION",
  "KEY_COMMAND_FAILED",
  "KEY_INVALID",
  "PASSWORD_REQUIRED",
  "STATE_CORRUPT",
  "STATE_LOCKED",
  "STATE_MOVED",
  "STORE_FAILED",
  "TOO_MANY_DELETES",
  "TUNNEL_FAILED",
  "VETOED",
  "WRONG_PASSWORD",
]);

/** The code of an EngineError is kept: it decides the exit code, and what a caller can catch. */
export function failure(plugin: string, name: HookName, context: unknown, error: unknown): EngineError {
  if (isEngineError(error) && spoken.has(error.code)) return error;
  const code = isEngineError(error) ? error.code : "PLUGIN_FAILED";
  const fqn = (isEngineError(error) ? error.fqn : undefined) ?? fqnOf(context);
  return new EngineError(code, `Plugin "${plugin}" failed in hook "${name}": ${messageOf(error)}`, {
    fqn,
    cause: error,
  });
}

function fqnOf(context: unknown): string | undefined {
  if (typeof context !== "object" || context === null || !("fqn" in context)) return undefined;
  return typeof context.fqn === "string" ? context.fqn : undefined;
}
