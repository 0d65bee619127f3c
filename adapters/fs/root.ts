/** Whether the root of a state is a folder, or may become one; asked once, for each access would find its own words. */
import { lstat, readlink, stat } from "node:fs/promises";
import { EngineError, hasCode, isAbsence } from "../../core/base/index.js";
import { storeFailed } from "./error.js";

/**
 * A root that is not there is fine: the first write makes it.
 *
 * @param root absolute
 * @throws EngineError `STORE_FAILED` where something else is in its place
 */
export async function checkRoot(root: string): Promise<void> {
  try {
    const found = await lstat(root);
    if (found.isDirectory()) return;
    if (!found.isSymbolicLink()) throw unusable(root, "is not a folder. Move it away, or name another one");
    const target = await stat(root).catch((error: unknown) => {
      if (!isAbsence(error)) throw error;
    });
    if (target?.isDirectory()) return;
    const state = target ? "is not a folder" : "is not there. Is its disk mounted? Mount it or make the folder";
    throw unusable(root, `is a symbolic link to ${await readlink(root)}, which ${state}, or name another one`);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw storeFailed("open the state in", root, error);
  }
}

function unusable(root: string, what: string): EngineError {
  return new EngineError("STORE_FAILED", `The state can't be kept in ${root}: it ${what}, fsStore({ root }).`);
}
