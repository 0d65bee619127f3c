/** Folders are made when a file first needs them, for their owner only, and outlast a power loss. */
import { mkdir, open, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { hasCode } from "./fs-error.js";
import { syncHandle } from "./fs-sync.js";

/** Makes `folder`, which is `root` or in it; a `.engine` folder that this makes is kept out of version control. */
export async function makeFolder(root: string, folder: string): Promise<void> {
  for (const made of await makeMissing(folder)) {
    if (made === root && basename(root) === ".engine") await ignoreInGit(root);
    await syncFolder(dirname(made));
  }
}

/** Makes the names in a folder survive a power loss. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return; // Windows opens no folder for that; NTFS journals names.
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

/** Not `mkdir` with `recursive`: on a read-only disk Node 20 says ENOENT then. */
async function makeMissing(folder: string): Promise<string[]> {
  try {
    return await make(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(folder) === folder) throw error;
    const above = await makeMissing(dirname(folder));
    // Once: below a link that leads nowhere nothing can be made, however often it is tried.
    return [...above, ...(await make(folder))];
  }
}

async function make(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, 0o700);
    return [folder];
  } catch (error) {
    if (hasCode(error, "EEXIST")) return [];
    throw error;
  }
}

async function ignoreInGit(root: string): Promise<void> {
  try {
    await writeFile(join(root, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
