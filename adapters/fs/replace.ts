import { rename } from "node:fs/promises";
import { dirname } from "node:path";
import { syncFolder } from "./folder.js";
import { discard, writeTemporary } from "./temporary.js";

/** Gives `path` a new value: a reader meets the old one or the new one, and nothing in between. */
export async function replaceFile(path: string, value: string, sync: boolean): Promise<void> {
  const temporary = await writeTemporary(path, value, sync);
  try {
    await rename(temporary, path);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  if (sync) await syncFolder(dirname(path));
}
