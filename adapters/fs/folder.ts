/** Folders are made when a file first needs them, and outlast a power loss. */
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode, makeOwnFolder, type PlatformName } from "../../core/base/index.js";
import { syncHandle } from "./sync.js";

export async function makeFolder(folder: string): Promise<void> {
  for (const made of makeOwnFolder(folder)) await syncFolder(dirname(made));
}

/** Makes the names in a folder survive a power loss. */
export async function syncFolder(folder: string, platform: PlatformName = process.platform): Promise<void> {
  if (platform === "win32") return; // Windows opens no folder for that; NTFS journals names.
  const handle = await open(folder, "r");
  try {
    await syncHandle(handle);
  } catch (error) {
    // So a file system says that its folders know no fsync.
    if (!hasCode(error, "EINVAL", "EBADF")) throw error;
  } finally {
    await handle.close();
  }
}
