import { EngineError, messageOf } from "../../core/base/index.js";

/** Of a file that was named on the command line. */
export function unusableFile(path: string, what: "read" | "written", cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `"${path}" cannot be ${what}: ${messageOf(cause)}.`, { cause });
}
