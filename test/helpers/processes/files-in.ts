import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";

/** Paths, relative to the folder, of all files in it, except those whose name begins with a dot. */
export async function filesIn(...parts: readonly string[]): Promise<string[]> {
  const folder = join(...parts);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  return files.map((entry) => relative(folder, join(entry.parentPath, entry.name))).sort();
}
