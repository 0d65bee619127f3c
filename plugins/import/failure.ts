import { EngineError } from "../../core/base/index.js";

/** @param place of the source, e.g. its path */
export function refused(place: string, why: string, cause?: unknown): EngineError {
  return new EngineError(
    "IMPORT_REFUSED",
    `"${place}" ${why} Nothing was imported.`,
    cause === undefined ? {} : { cause },
  );
}
