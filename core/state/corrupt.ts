import { EngineError } from "../errors.js";
import { FORMAT } from "./entry.js";

const RESTORE = "Restore the file or object from a backup or its history.";

export function corrupt(key: string, why: string, advice = RESTORE): EngineError {
  return new EngineError("STATE_CORRUPT", `The state is damaged at "${key}": ${why}. Nothing was changed. ${advice}`);
}

export function tooNew(key: string, format: number, version: string): EngineError {
  return new EngineError(
    "STATE_FORMAT",
    `"${key}" has format ${format}, written by scope-engine ${version}; this version reads up to ${FORMAT}. Nothing was changed. Update scope-engine.`,
  );
}
