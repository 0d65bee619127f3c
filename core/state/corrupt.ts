import { EngineError } from "../base/index.js";
import { SEALED_FORMAT } from "./journal/entry.js";

const RESTORE =
  "Restore the file or object from a backup or its history; engine state verify names what is damaged, and what to do.";

export function corrupt(key: string, why: string, advice = RESTORE, cause?: unknown): EngineError {
  const message = `The state is damaged at "${key}": ${why}. Nothing was changed. ${advice}`;
  return new EngineError("STATE_CORRUPT", message, { cause });
}

export function tooNew(key: string, format: number, version: string): EngineError {
  return new EngineError(
    "STATE_FORMAT",
    `"${key}" has format ${format}, written by scope-engine ${version}; this version reads up to ${SEALED_FORMAT}. Nothing was changed. Update scope-engine.`,
  );
}
