/**
 * Atomic writing of files. Only their owner can read them, unless a mode is given. Synchronous, because the process may
 * be about to end.
 */
import { linkSync, lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../errors.js";
import type { PlatformName } from "../vocabulary.js";
import { makeOwnFolder } from "./own-files.js";
import { randomUuid } from "./random.js";

export interface WholeFileOptions {
  /**
   * True if the text is flushed to disk before the file appears, so that a power loss leaves no empty file. Default:
   * true.
   */
  readonly flush?: boolean;
  /** Permissions of the file, before the umask. Default: 0o600. */
  readonly mode?: number;
}

/** Writes a file, replacing an existing one, and creates its folder. @throws the error of the file system */
export function replaceFile(path: string, text: string, options?: WholeFileOptions): void {
  put(path, text, (temporary, to) => whenFreeNow(() => renameSync(temporary, to)), options);
}

/**
 * Writes a new file, and creates its folder. If several processes do so, one succeeds. On a disk without hard links,
 * such as FAT, two that do so at the same moment may both succeed, and the last text stays.
 *
 * @returns false if the file exists
 * @throws the error of the file system
 */
export function publishFile(path: string, text: string, options?: WholeFileOptions): boolean {
  try {
    return put(path, text, placeNew, options);
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** In contrast to a rename, a link never replaces an existing file. */
function placeNew(temporary: string, path: string): boolean {
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    // Windows reports EISDIR for a FAT disk, which has no hard links.
    const isLacking = hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EISDIR");
    if (!isLacking) throw error;
    if (lstatSync(path, { throwIfNoEntry: false })) return false;
    whenFreeNow(() => renameSync(temporary, path));
    return true;
  }
}

function put<T>(
  path: string,
  text: string,
  place: (temporary: string, path: string) => T,
  { flush = true, mode = 0o600 }: WholeFileOptions = {},
): T {
  const temporary = `${path}.${randomUuid()}.tmp`;
  makeOwnFolder(dirname(path));
  try {
    writeFileSync(temporary, text, { mode, flag: "wx", flush });
    return place(temporary, path);
  } finally {
    remove(temporary);
  }
}

/** If this fails as well, the first error is the one to report. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The temporary file stays.
  }
}

/** Milliseconds after which a held file is given up. */
const TIMEOUT = 10_000;

/** The same for a synchronous wait, which blocks the process. */
const TIMEOUT_NOW = 2_000;

/** Milliseconds between two attempts: first and maximum. */
const [SOONEST, LATEST] = [5, 100];

/**
 * Retries an action on a file that another program holds. On Windows, a file that a virus scanner or a reader has open
 * cannot be renamed, removed or replaced, usually for a moment only. On other systems, the same errors mean that the
 * action is not permitted.
 *
 * @throws the error of the last attempt
 */
export async function whenFree<T>(act: () => Promise<T>, platform: PlatformName = process.platform): Promise<T> {
  for (let wait = SOONEST, waited = 0; ; waited += wait, wait = Math.min(wait * 2, LATEST)) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error, platform) || waited >= TIMEOUT) throw error;
      await pause(wait);
    }
  }
}

/** Retries synchronously, as {@link whenFree} does, for a process that may be about to end. */
export function whenFreeNow<T>(act: () => T, platform: PlatformName = process.platform): T {
  for (let wait = SOONEST, waited = 0; ; waited += wait, wait = Math.min(wait * 2, LATEST)) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error, platform) || waited >= TIMEOUT_NOW) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
    }
  }
}

function isHeld(error: unknown, platform: PlatformName): boolean {
  return platform === "win32" && hasCode(error, "EPERM", "EACCES", "EBUSY");
}
