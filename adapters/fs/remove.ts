import { unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { isAbsence, whenFree } from "../../core/base/index.js";
import type { Disk } from "./disk.js";
import { syncFolder } from "./folder.js";
import { discard, temporaryBeside } from "./temporary.js";

/** False: there was no file at `path`. */
export async function removeFile(path: string, sync: boolean, disk: Disk): Promise<boolean> {
  try {
    await (disk.platform === "win32" ? removeOpen(path, disk) : unlink(path));
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
  if (sync) await syncFolder(dirname(path), disk.platform);
  return true;
}

/** Windows keeps the name of a file that somebody has open until he closes it, and lets nobody have it meanwhile: so that goes first. */
async function removeOpen(path: string, disk: Disk): Promise<void> {
  const aside = temporaryBeside(path);
  await whenFree(() => disk.rename(path, aside), disk.platform);
  await discard(aside);
}
