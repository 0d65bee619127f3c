/** Packages that a user installs only where an adapter or a plugin needs them. */
import { EngineError, messageOf } from "./errors.js";
import { hasCode } from "./system-error.js";

/** True when importing `name` failed because it is not installed; false when one of its own imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  const message = messageOf(error);
  // What Vite puts in the place of an optional package that is not there.
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
