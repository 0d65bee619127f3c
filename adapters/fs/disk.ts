/** Operations on a disk, including those that differ between disks and systems. Tests can replace the disk. */

import { fsync } from "node:fs";
import { type FileHandle, link, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { HOUR, hasCode, makeOwnFolder, nodeCrypto, type PlatformName } from "../../core/base/index.js";

export interface Disk {
  readonly platform: PlatformName;
  /** Creates a second name for a file, if the name is free. */
  link(existing: string, path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
}

export const thisDisk: Disk = { platform: process.platform, link, rename };

// Flushing to the disk.

const syncDescriptor = promisify(fsync);

/** Does the same as `handle.sync()`, also with Yarn's Plug'n'Play, whose handles do not have it. */
function syncHandle(handle: FileHandle): Promise<void> {
  return process.versions.pnp === undefined ? handle.sync() : syncDescriptor(handle.fd);
}

/** Creates the folders for a new file, so that they survive a power loss. */
async function makeFolder(folder: string): Promise<void> {
  for (const made of makeOwnFolder(folder)) await syncFolder(dirname(made));
}

/** Flushes the names in a folder, so that they survive a power loss. */
export async function syncFolder(folder: string, platform: PlatformName = process.platform): Promise<void> {
  if (platform === "win32") return; // Windows cannot open a folder for this; NTFS journals names.
  const handle = await open(folder, "r");
  try {
    await syncHandle(handle);
  } catch (error) {
    // The file system does not support fsync of folders.
    if (!hasCode(error, "EINVAL", "EBADF")) throw error;
  } finally {
    await handle.close();
  }
}

/** Age in milliseconds from which a temporary file belongs to no running write. */
const STALE = HOUR;

/** Writes a temporary file next to `path`, and creates the folder if it is missing. */
export async function writeTemporary(path: string, value: string, sync: boolean): Promise<string> {
  const temporary = temporaryBeside(path);
  const handle = await openNew(temporary);
  try {
    try {
      await writeWhole(handle, value);
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

/** Bytes of a text that are encoded at once: all of a large state would take as much memory again. */
const AT_ONCE = 1_000_000;

async function writeWhole(handle: FileHandle, value: string): Promise<void> {
  if (value.length < AT_ONCE) return handle.writeFile(value);
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(AT_ONCE);
  for (let at = 0; at < value.length; ) {
    // It ends before a character that does not fit, so none is split.
    const { read, written } = encoder.encodeInto(value.slice(at), bytes);
    at += read;
    for (let done = 0; done < written; ) done += (await handle.write(bytes, done, written - done)).bytesWritten;
  }
}

/** Returns a unique name next to `path`. */
export function temporaryBeside(path: string): string {
  return join(dirname(path), `.${nodeCrypto().randomUUID()}.tmp`);
}

/** Removes a temporary file. One that cannot be removed does no harm and is left to `sweep`. */
export async function discard(temporary: string): Promise<void> {
  await unlink(temporary).catch(() => {});
}

/**
 * Removes temporary files of killed processes. If the file of a live process is removed, its write fails and nothing
 * worse happens, so the age is a sufficient criterion. It is measured with the clock of the disk, because that of a
 * process may be wrong by days: the folder was changed this much later. Files that cannot be removed stay, which only
 * takes space.
 */
export async function sweep(folder: string): Promise<void> {
  const names = (await readdir(folder).catch((): string[] => [])).filter(isTemporary);
  for (const name of names) {
    const [changed, file] = await Promise.all([folder, join(folder, name)].map(timeOf));
    if (changed !== undefined && file !== undefined && changed - file > STALE) await discard(join(folder, name));
  }
}

/** Returns the time of the last write, in milliseconds. */
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
