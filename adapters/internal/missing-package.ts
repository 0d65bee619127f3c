import { EngineError } from "../../core/errors.js";

/** True where the package itself is what could not be found, and not something that it needs. */
export function isMissing(error: unknown, name: string): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ERR_MODULE_NOT_FOUND" && error instanceof Error && error.message.includes(`'${name}'`);
}

export function packageMissing(name: string, user: string, cause: unknown): EngineError {
  return new EngineError("PACKAGE_MISSING", `${user} needs the package ${name}. Install it: npm install ${name}`, {
    cause,
  });
}
