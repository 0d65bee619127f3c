import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsence } from "../../core/base/index.js";
import { storeFailed } from "./error.js";
import { fileOf, filePart, folderOf, folderPart } from "./path.js";

/** A folder in which something goes away during each of so many looks is not read to its end. */
const ATTEMPTS = 100;

/** The keys below `root` that begin with `prefix`; reads no folder that cannot hold one. */
export async function* listKeys(root: string, prefix: string): AsyncGenerator<string, void> {
  const { folder, start } = folderOf(prefix);
  const waiting = [{ folder, start }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const entry of await readFolder(join(root, next.folder))) {
      const path = join(next.folder, entry.name);
      if (entry.isDirectory()) {
        const below = `${next.start}${folderPart(entry.name) ?? ""}`;
        const leadsOn = below.startsWith(prefix) || prefix.startsWith(below);
        if (below !== next.start && leadsOn) waiting.push({ folder: path, start: below });
      } else if (entry.isFile()) {
        const key = `${next.start}${filePart(entry.name) ?? ""}`;
        // A name that the key would not get is somebody else's file, e.g. "notes (copy).json".
        if (key.startsWith(prefix) && fileOf(key) === path) yield key;
      }
    }
  }
}

/**
 * In one call, which the kernel answers as of one moment for some hundred names. On a disk that does not say which of
 * them are folders, Node looks each up; then one that has gone meanwhile is no sign that the folder is not there.
 */
async function readFolder(folder: string): Promise<Dirent[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      const isInside = pathIn(error) !== folder;
      if (isAbsence(error) && !isInside) return [];
      if (!isAbsence(error) || attempt === ATTEMPTS) throw storeFailed("list", folder, error);
    }
  }
}

function pathIn(error: unknown): unknown {
  return error instanceof Error && "path" in error ? error.path : undefined;
}
