/** Packages that a user installs only where an adapter or a plugin needs them. */
import { EngineError, messageOf } from "./errors.js";
import { hasCode } from "./system-error.js";

/** True when importing `name` failed because it is not installed; false when one of its own imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  return hasCode(error, "ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND") && messageOf(error).includes(`'${name}'`);
}

export function packageMissing(name: string, cause: unknown): EngineError {
  return new EngineError(
    "PACKAGE_MISSING",
    `The package ${name} is needed and is not installed. Install it: npm install ${name}`,
    { cause },
  );
}
