/** Packages that a user installs only where an adapter or a plugin needs them. */
import { EngineError } from "./errors.js";

/** True when importing `name` failed because it is not installed; false when one of its own imports is missing. */
export function isMissing(error: unknown, name: string): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  const isNotFound = error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND";
  return isNotFound && error.message.includes(`'${name}'`);
}

export function packageMissing(name: string, cause: unknown): EngineError {
  return new EngineError(
    "PACKAGE_MISSING",
    `The package ${name} is needed and is not installed. Install it: npm install ${name}`,
    { cause },
  );
}
