/** Files of the engine's own that appear whole or not at all, for nobody else to read. Synchronous: the process may be about to end. */
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode } from "../errors.js";
import type { PlatformName } from "../vocabulary.js";
import { makeOwnFolder } from "./own-files.js";
import { randomUuid } from "./random.js";

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

/** Milliseconds until what is held is given up. */
const TIMEOUT = 10_000;

/** The same where the process stands still meanwhile. */
const TIMEOUT_NOW = 2_000;

/** Milliseconds between two attempts, at first and at most. */
const [SOONEST, LATEST] = [5, 100];

/**
 * On Windows a file that somebody has open, a virus scanner or a reader, can be neither renamed nor removed, nor be replaced. That passes
 * within moments, so it is tried again. Elsewhere the same errors mean that it is not allowed.
 *
 * @throws what the last attempt threw
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

/** As {@link whenFree}, for a process that may be about to end. */
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
