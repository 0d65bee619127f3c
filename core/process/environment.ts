/** Variables for a child process. */
import { EngineError, type ErrorCode } from "../base/index.js";
import type { ChildEnvironment } from "../contract/index.js";
import { typeName } from "../options/index.js";

/** The variables as the child gets them. @throws EngineError of `code`, naming the variable and never its value */
export function plainEnvironment(env: ChildEnvironment, code: ErrorCode): Readonly<Record<string, string>> {
  const plain: [string, string][] = [];
  for (const [name, given] of Object.entries(env)) {
    if (given === undefined) continue;
    const value: unknown = typeof given === "object" && given !== null ? given.unencrypted : given;
    if (typeof value !== "string") {
      throw new EngineError(code, `The environment variable "${name}" must be a string, not ${typeName(value)}.`);
    }
    // Node would refuse it too, and quote the beginning of the value: who knows only the whole does not mask a part.
    if (value.includes("\0") || name.includes("\0")) {
      const message = `The environment variable "${name}" of the command holds a NUL character, which no process can be given.`;
      throw new EngineError(code, message);
    }
    plain.push([name, value]);
  }
  return Object.fromEntries(plain);
}

/** What opens the secrets of stages: no program that the engine starts gets it unasked. */
const KEPT_BACK = new Set([
  "ENGINE_PASSWORD",
  "ENGINE_NEW_PASSWORD",
  "ENGINE_SCOPE_PASSWORD",
  "ENGINE_KEY",
  "ENGINE_NEW_KEY",
  "ENGINE_SCOPE_KEY",
]);

/**
 * Everything that a child gets: the variables of this process, but for the passwords and keys of stages, and those that are given,
 * whatever they are.
 */
export function childEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  // Windows takes names for the same that differ in their case.
  const ours = Object.entries(process.env).filter(([name]) => !KEPT_BACK.has(name.toUpperCase()));
  return { ...Object.fromEntries(ours), ...env };
}
