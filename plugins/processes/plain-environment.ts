/** Variables that a program gives for a child process. */
import { EngineError, type ErrorCode, typeName } from "../../core/base/index.js";
import type { ChildEnvironment } from "../../core/contract/index.js";

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
