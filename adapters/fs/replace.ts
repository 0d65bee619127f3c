import { dirname } from "node:path";
import { whenFree } from "../../core/base/index.js";
import type { Disk } from "./disk.js";
import { syncFolder } from "./folder.js";
import { discard, writeTemporary } from "./temporary.js";

/** Gives `path` a new value: a reader meets the old one or the new one, and nothing in between. */
export async function replaceFile(path: string, value: string, sync: boolean, disk: Disk): Promise<void> {
  const temporary = await writeTemporary(path, value, sync);
  try {
    await whenFree(() => disk.rename(temporary, path), disk.platform);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  if (sync) await syncFolder(dirname(path), disk.platform);
}
