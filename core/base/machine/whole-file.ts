/** Files of the engine's own that appear whole or not at all, for nobody else to read. Synchronous: the process may be about to end. */
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { hasCode } from "../system-error.js";
import { whenFreeNow } from "./held-files.js";
import { makeOwnFolder } from "./own-folder.js";
import { randomUuid } from "./random-uuid.js";

export interface WholeFileOptions {
  /** Whether the text is on the disk before the file appears, so that a power loss leaves no empty one. Default: true. */
  readonly flush?: boolean;
}

/** In place of what is there; makes the folder. @throws what the file system says */
export function replaceFile(path: string, text: string, options?: WholeFileOptions): void {
  put(path, text, (aside, to) => whenFreeNow(() => renameSync(aside, to)), options);
}

/**
 * Where there is nothing: of several processes one succeeds. Makes the folder.
 *
 * @returns false where there is something
 * @throws what the file system says, also where it knows no links
 */
export function publishFile(path: string, text: string, options?: WholeFileOptions): boolean {
  try {
    put(path, text, linkSync, options);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function put(
  path: string,
  text: string,
  place: (aside: string, path: string) => void,
  { flush = true }: WholeFileOptions = {},
): void {
  const aside = `${path}.${randomUuid()}.tmp`;
  makeOwnFolder(dirname(path));
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: "wx", flush });
    place(aside, path);
  } finally {
    remove(aside);
  }
}

/** Where this fails as well, the first error says why. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // It stays.
  }
}
