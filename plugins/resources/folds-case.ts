/** Whether a disk takes capital letters for small ones, as those of Macs and of Windows mostly do. */
import { lstat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAbsence } from "../../core/base/index.js";

/** What tells a file from others; undefined where there is none. */
export type Look = (path: string) => Promise<{ readonly ino: bigint; readonly dev: bigint } | undefined>;

const known = new Map<string, Promise<boolean>>();

/** @param folder absolute; it need not be there yet */
export function foldsCase(folder: string): Promise<boolean> {
  const asked = known.get(folder) ?? isFolding(folder, lookAt);
  known.set(folder, asked);
  return asked;
}

/** Asks for the folder, or the nearest one above it that has letters in its name and is there, by a name in other letters. */
export async function isFolding(folder: string, look: Look): Promise<boolean> {
  for (let path = folder; dirname(path) !== path; path = dirname(path)) {
    const other = join(dirname(path), swapped(basename(path)));
    const found = other === path ? undefined : await look(path);
    if (!found) continue;
    const same = await look(other);
    return same !== undefined && same.ino === found.ino && same.dev === found.dev;
  }
  return false;
}

function swapped(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
}

async function lookAt(path: string): ReturnType<Look> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}
