/** Puts a finished file where nothing may be yet. */

import { link, rename } from "node:fs/promises";
import { hasCode, whenFree } from "../../core/base/index.js";
import { discard } from "./aside.js";
import { entryAt } from "./fingerprint.js";

/** Moves `temporary` to `path`; false, with the temporary file gone, when something is there already. */
export async function publish(temporary: string, path: string): Promise<boolean> {
  try {
    // Unlike a rename, a link never takes the place of what is there.
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    // Windows says EISDIR where a FAT disk has no such function.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EISDIR")) throw error;
    return await publishWithoutLinks(temporary, path);
  } finally {
    await discard(temporary);
  }
}

/** Some disks have no hard links. There, what appears in the moment between the look and the rename is lost. */
async function publishWithoutLinks(temporary: string, path: string): Promise<boolean> {
  if (await entryAt(path)) return false;
  await whenFree(() => rename(temporary, path));
  return true;
}
