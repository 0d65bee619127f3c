/** Folders of the engine's own: for their owner alone, and the one in a project is kept out of version control. */
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { hasCode } from "../system-error.js";

/** In the root folder of a program: its state, logs and records of processes. */
export const OWN_FOLDER = ".engine";

/**
 * Makes a folder, and those above it, where there is none; what is there stays as it is. An `.engine` that this makes gets a
 * `.gitignore`, so that nothing in it is committed.
 *
 * @returns those that it made, topmost first
 * @throws what the file system says
 */
export function makeOwnFolder(folder: string): readonly string[] {
  const made = makeMissing(folder);
  const own = made.find((path) => basename(path) === OWN_FOLDER);
  if (own !== undefined) ignoreInGit(own);
  return made;
}

/** Not `mkdir` with `recursive`: on a read-only disk Node 20 says ENOENT then. */
function makeMissing(folder: string): string[] {
  try {
    return make(folder);
  } catch (error) {
    if (!hasCode(error, "ENOENT") || dirname(folder) === folder) throw error;
    const above = makeMissing(dirname(folder));
    // Once: below a link that leads nowhere nothing can be made, however often it is tried.
    return [...above, ...make(folder)];
  }
}

function make(folder: string): string[] {
  try {
    mkdirSync(folder, 0o700);
    return [folder];
  } catch (error) {
    if (hasCode(error, "EEXIST")) return [];
    throw error;
  }
}

function ignoreInGit(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx", mode: 0o600 });
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
}
