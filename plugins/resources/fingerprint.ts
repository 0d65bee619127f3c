/** What a file holds, short enough to be recorded. */

import { createHash } from "node:crypto";
import { lstat, open } from "node:fs/promises";
import { isAbsence } from "../../core/base/index.js";

export interface Fingerprint {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

export interface FileLook extends Fingerprint {
  /** Permission bits. */
  readonly mode: number;
}

const CHUNK = 256 * 1024;

export function fingerprintOf(bytes: Uint8Array): Fingerprint {
  return { size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Undefined where there is no regular file; a symbolic link is none. */
export async function lookAt(path: string): Promise<FileLook | undefined> {
  const there = await entryAt(path);
  if (!there?.isFile()) return undefined;
  return { ...(await readThrough(path, Math.min(there.size + 1, CHUNK))), mode: there.mode & 0o7777 };
}

/** So much of what Node tells of a path as is asked for. */
export interface Entry {
  isFile(): boolean;
  readonly mode: number;
  readonly size: number;
}

/** What is at a path, links not followed; undefined where nothing is. */
export async function entryAt(path: string): Promise<Entry | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** True for two names of one file, by all 64 bits of its number; links not followed. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((path) => lstat(path, { bigint: true })));
  return a?.ino === b?.ino && a?.dev === b?.dev;
}

/** Reads piece by piece: files may be larger than memory. */
async function readThrough(path: string, chunk: number): Promise<Fingerprint> {
  const hash = createHash("sha256");
  const buffer = Buffer.allocUnsafe(chunk);
  const handle = await open(path);
  let size = 0;
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, chunk);
      if (bytesRead === 0) break;
      size += bytesRead;
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
  }
  return { size, sha256: hash.digest("hex") };
}
