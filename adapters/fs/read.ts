/** Reads one value. */
import { constants, open } from "node:fs/promises";
import { EngineError, isAbsence, whenFree } from "../../core/base/index.js";
import { storeFailed } from "./error.js";

/** What stands in for a file but is none, such as a named pipe, would otherwise be waited for. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Undefined: there is no file at `path`. */
export async function readValue(path: string): Promise<string | undefined> {
  try {
    const handle = await whenFree(() => open(path, WITHOUT_WAITING));
    try {
      if (!(await handle.stat()).isFile()) throw notAFile(path);
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw storeFailed("read", path, error);
  }
}

function notAFile(path: string): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `Could not read ${path}: it is not a file, though a value of the state has this name. Move it away, then run again.`,
  );
}
