/** Whole values are written aside, under names that no list shows, and put in place in one step. */

import { type FileHandle, open, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HOUR, hasCode, nodeCrypto } from "../../core/base/index.js";
import { makeFolder } from "./folder.js";
import { syncHandle } from "./sync.js";

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
