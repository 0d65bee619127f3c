import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent, storeFailed } from "./fs-error.js";
import { fileOf, filePart, folderOf, folderPart } from "./fs-path.js";

/** The keys below `root` that begin with `prefix`; reads no folder that cannot hold one. */
export async function* listKeys(root: string, prefix: string): AsyncGenerator<string, void> {
  const { folder, start } = folderOf(prefix);
  const waiting = [{ folder, start }];
  for (let place = waiting.pop(); place; place = waiting.pop()) {
    for (const entry of await readFolder(join(root, place.folder))) {
      const path = join(place.folder, entry.name);
      if (entry.isDirectory()) {
        const below = `${place.start}${folderPart(entry.name) ?? ""}`;
        const leadsOn = below.startsWith(prefix) || prefix.startsWith(below);
        if (below !== place.start && leadsOn) waiting.push({ folder: path, start: below });
      } else if (entry.isFile()) {
        const key = `${place.start}${filePart(entry.name) ?? ""}`;
        // A name that the key would not get is somebody else's file, e.g. "notes (copy).json".
        if (key.startsWith(prefix) && fileOf(key) === path) yield key;
      }
    }
  }
}

async function readFolder(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    throw storeFailed("list", folder, error);
  }
}
