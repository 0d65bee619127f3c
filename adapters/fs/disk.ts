/** What the store does to a disk, and what differs between disks and systems: a test can have another disk. */

import { fsync } from "node:fs";
import { type FileHandle, link, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { HOUR, hasCode, makeOwnFolder, nodeCrypto, type PlatformName } from "../../core/base/index.js";

export interface Disk {
  readonly platform: PlatformName;
  /** Puts a second name beside the first, where there is nothing. */
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

export const thisDisk: Disk = { platform: process.platform, link, rename };

// What was written is on the disk.

const syncDescriptor = promisify(fsync);

/** The same as `handle.sync()`, also where Yarn's Plug'n'Play puts a handle of its own in place, which has none. */
function syncHandle(handle: FileHandle): Promise<void> {
  return process.versions.pnp === undefined ? handle.sync() : syncDescriptor(handle.fd);
}

/** Folders are made when a file first needs them, and outlast a power loss. */
async function makeFolder(folder: string): Promise<void> {
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

/** Older than any write that is still under way. */
const STALE = HOUR;

/** Writes a temporary file next to `path`, making the folder where it is missing. */
export async function writeTemporary(path: string, value: string, sync: boolean): Promise<string> {
  const temporary = temporaryBeside(path);
  const handle = await openNew(temporary);
  try {
    try {
      await handle.writeFile(value);
      if (sync) await syncHandle(handle);
    } finally {
      await handle.close();
    }
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  return temporary;
}

/** A name that nobody else takes. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${nodeCrypto().randomUUID()}.tmp`);
}

/** Removes a temporary file; one that cannot be removed harms nobody and is left to `sweep`. */
export async function discard(temporary: string): Promise<void> {
  await unlink(temporary).catch(() => {});
}

/**
 * Removes what killed processes left half-written. A temporary file taken away from a living process fails its write
 * and does nothing worse, so age is a good enough sign: by the disk's own clock, for that of a process may be wrong by
 * days. The folder was changed as long after. This saves room and no more: what cannot be removed stays.
 */
export async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(isTemporary);
  for (const name of names) {
    const [changed, file] = await Promise.all([folder, join(folder, name)].map(timeOf));
    if (changed !== undefined && file !== undefined && changed - file > STALE) await discard(join(folder, name));
  }
}

/** When it was last written, in milliseconds. */
async function timeOf(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

function isTemporary(name: string): boolean {
  return /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/.test(name);
}

async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, "wx", 0o600);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    await makeFolder(dirname(path));
    return open(path, "wx", 0o600);
  }
}
