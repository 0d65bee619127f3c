/** Appends in place: writes a chunk to the end of an open file, then checks the fence. */

import { closeSync, constants, fdatasync, fstatSync, openSync, statSync, write, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { hasCode, isAbsence, type PlatformName } from "../../core/base/index.js";
import type { Growing, WriteOptions } from "../../core/contract/index.js";
import { KeyedMutex } from "../kit/bounded.js";
import { syncFolder } from "./disk.js";
import { storeFailed } from "./error.js";

/**
 * Bytes from which a chunk is written asynchronously. A synchronous write takes microseconds, the thread pool ten times
 * as long.
 */
const BIG = 64 * 1024;
const MOST_OPEN = 16;
const LINE_BREAK = Buffer.from("\n");
const writeSlowly = promisify(write);
const syncData = promisify(fdatasync);

interface OpenFile {
  readonly path: string;
  readonly descriptor: number;
  readonly identity: FileIdentity;
  /** The last checked fence, and its path. */
  fence: string | undefined;
  fencePath: string;
}

export interface AppenderSettings {
  /** Returns the absolute path of the key's file. */
  pathOf(key: string): string;
  /** Rejects if the root cannot be used: then nothing is known about its files. */
  usable(): Promise<void>;
  readonly platform: PlatformName;
  /** Every append survives a power loss, whatever its caller requests. */
  readonly full: boolean;
}

/** Appends to files, and keeps the most recent ones open. */
export class Appender implements Growing {
  readonly #settings: AppenderSettings;
  readonly #open = new Map<string, OpenFile>();
  /** Keys whose value may end with a part of a chunk. */
  readonly #torn = new Set<string>();
  readonly #mutex = new KeyedMutex();

  constructor(settings: AppenderSettings) {
    this.#settings = settings;
  }

  append(key: string, chunk: string, fence: string, options?: WriteOptions): boolean | Promise<boolean> {
    const sync = this.#settings.full || options?.sync !== false;
    const bytes = Buffer.from(chunk);
    if (sync || bytes.length >= BIG || !this.#mutex.isFree(key)) {
      return this.#mutex.take(key, () => this.#appendSlowly(key, bytes, fence, sync));
    }
    try {
      const file = this.#file(key);
      if (!file) return this.#absent();
      const whole = this.#begin(key, bytes);
      for (let done = 0; done < whole.length; ) done += writeSync(file.descriptor, whole, done);
      this.#torn.delete(key);
      return this.#holds(key, file, fence);
    } catch (error) {
      return Promise.reject(storeFailed("append to", this.#settings.pathOf(key), error));
    }
  }

  /** Closes the old file of a deleted or replaced value when pending appends to it have ended. */
  async forget(key: string): Promise<void> {
    await this.#release(key);
    this.#torn.delete(key);
  }

  /** Closes every file; a later append opens its file again. */
  async close(): Promise<void> {
    for (const key of [...this.#open.keys()]) await this.#release(key);
  }

  async #appendSlowly(key: string, bytes: Buffer, fence: string, sync: boolean): Promise<boolean> {
    try {
      const file = this.#file(key);
      if (!file) return this.#absent();
      const whole = this.#begin(key, bytes);
      for (let done = 0; done < whole.length; ) {
        done += (await writeSlowly(file.descriptor, whole, done, whole.length - done, null)).bytesWritten;
      }
      if (sync) await syncData(file.descriptor);
      this.#torn.delete(key);
      const holds = this.#holds(key, file, fence);
      // Both answers survive a power loss: the folder has the name of the key, or that of the fence.
      if (sync) await syncFolder(dirname(file.path));
      return holds;
    } catch (error) {
      throw storeFailed("append to", this.#settings.pathOf(key), error);
    }
  }

  async #absent(): Promise<false> {
    await this.#settings.usable();
    return false;
  }

  /**
   * Returns the bytes to write. Until all are written, the key counts as torn, and its next chunk starts on a new line.
   */
  #begin(key: string, bytes: Buffer): Buffer {
    const whole = this.#torn.has(key) ? Buffer.concat([LINE_BREAK, bytes]) : bytes;
    this.#torn.add(key);
    return whole;
  }

  /**
   * Checks the fence first, then the key, because a process that deletes both deletes the key first. The key must still
   * name the open file. The number of links proves nothing, because a creator that was killed leaves a second link.
   */
  #holds(key: string, file: OpenFile, fence: string): boolean {
    if (fence !== file.fence) {
      file.fence = fence;
      file.fencePath = this.#settings.pathOf(fence);
    }
    const fenced = look(file.fencePath) !== undefined;
    const same = isSame(identityAt(file.path, this.#settings.platform), file.identity);
    if (!same) this.#close(key);
    return same && !fenced;
  }

  #file(key: string): OpenFile | undefined {
    const open = this.#open.get(key);
    if (open) return open;
    const path = this.#settings.pathOf(key);
    const descriptor = openExisting(path);
    if (descriptor === undefined) return undefined;
    const identity = identityOf(descriptor, this.#settings.platform);
    const file: OpenFile = { path, descriptor, identity, fence: undefined, fencePath: "" };
    this.#makeRoom();
    this.#open.set(key, file);
    return file;
  }

  #makeRoom(): void {
    for (const key of this.#open.keys()) {
      if (this.#open.size < MOST_OPEN) return;
      if (this.#mutex.isFree(key)) this.#close(key);
    }
  }

  async #release(key: string): Promise<void> {
    if (this.#mutex.isFree(key)) this.#close(key);
    else await this.#mutex.take(key, async () => this.#close(key));
  }

  #close(key: string): void {
    const file = this.#open.get(key);
    this.#open.delete(key);
    if (file) closeSync(file.descriptor);
  }
}

/**
 * Opens a file without O_CREAT, because an append never creates a key, and without blocking, so that a named pipe is an
 * error.
 */
function openExisting(path: string): number | undefined {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Identity of a file. */
interface FileIdentity {
  readonly ino: number | bigint;
  readonly dev: number | bigint | undefined;
}

/**
 * On Windows the inode number has 64 bits, too many for a `number`, and the number of the disk differs between
 * versions.
 */
function identityOf(descriptor: number, platform: PlatformName): FileIdentity {
  if (platform !== "win32") return fstatSync(descriptor);
  return { ino: fstatSync(descriptor, { bigint: true }).ino, dev: undefined };
}

function identityAt(path: string, platform: PlatformName): FileIdentity | undefined {
  if (platform !== "win32") return look(path);
  const found = look(path) && statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && { ino: found.ino, dev: undefined };
}

function isSame(a: FileIdentity | undefined, b: FileIdentity): boolean {
  return a !== undefined && a.ino === b.ino && a.dev === b.dev;
}

/** For a missing file, `throwIfNoEntry: false` takes a quarter of the time of an exception. */
function look(path: string): { readonly ino: number; readonly dev: number } | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return undefined;
    throw error;
  }
}
