/** Cache of unpacked providers of this user, for all projects. Each is put in place in one step. */

import { createHash } from "node:crypto";
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  cacheFolder,
  type Environment,
  hasCode,
  isAbsence,
  makeOwnFolder,
  messageOf,
  whenFree,
} from "../../../core/base/index.js";
import { missing } from "./failure.js";
import { type ProviderAddress, type Target, targetText } from "./source.js";

/** A provider in the cache. */
export interface CachedProvider {
  /** Folder of the files. */
  readonly folder: string;
  /** `h1:` hash of the present files, each byte read. */
  readonly content: string;
}

/** Name of the folder of files. A half unpacked one has another name. */
const FILES = "files";

/** @throws EngineError `PROVIDER_MISSING` if the user's cache folder is unknown */
export function providersFolder(env: Environment): string {
  const folder = cacheFolder(env);
  if (folder === undefined) {
    throw missing("There is no cache folder for providers: HOME is not set. Set XDG_CACHE_HOME to a folder.");
  }
  return join(folder, "providers");
}

export function entryFolder(root: string, address: ProviderAddress, version: string, target: Target): string {
  // The replaced characters are invalid in folder names on some systems. No host name contains `_`.
  const host = address.host.replace(/[[\]:]/g, "_");
  return join(root, host, address.namespace, address.type, version, targetText(target));
}

/**
 * Returns a cached provider. The cache holds no expected hash, because anyone who can replace a program there could
 * replace the hash, too. Only the lock file holds it.
 */
export async function lookUp(entry: string): Promise<CachedProvider | undefined> {
  const folder = join(entry, FILES);
  try {
    return { folder, content: await contentHash(folder) };
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw missing(`${folder} cannot be read: ${messageOf(error)}. Remove this folder, and try again.`, error);
  }
}

/**
 * Puts an unpacked provider in place. If several processes do, the first one wins.
 *
 * @param staged a folder with the files in it
 * @param content `h1:` of the files
 */
export async function publish(entry: string, staged: string, content: string): Promise<CachedProvider> {
  makeOwnFolder(dirname(entry));
  for (let isSecond = false; ; isSecond = true) {
    try {
      await whenFree(() => rename(staged, entry));
      return { folder: join(entry, FILES), content };
    } catch (error) {
      if (!hasCode(error, "ENOTEMPTY", "EEXIST", "EPERM")) throw error;
    }
    const found = await lookUp(entry);
    if (found?.content === content) return found;
    if (isSecond) throw missing(`${entry} cannot be replaced. Remove this folder, and try again.`);
    // Removes a changed or different entry. A process that runs it keeps its open files.
    await rm(entry, { recursive: true, force: true });
  }
}

export async function filesFolder(staged: string): Promise<string> {
  const folder = join(staged, FILES);
  await mkdir(folder, { mode: 0o700, recursive: true });
  return folder;
}

/** Bytes per read. */
const BLOCK = 256 * 1024;

/** SHA-256 of a file, in hexadecimal. Each start of a provider waits for it, and a stream takes five times as long. */
async function fileSha256(path: string): Promise<string> {
  const hash = createHash("sha256");
  const block = Buffer.allocUnsafe(BLOCK);
  const file = await open(path);
  try {
    let { bytesRead } = await file.read(block);
    while (bytesRead > 0) {
      hash.update(block.subarray(0, bytesRead));
      ({ bytesRead } = await file.read(block));
    }
  } finally {
    await file.close();
  }
  return hash.digest("hex");
}

export async function archiveHash(path: string): Promise<string> {
  return `zh:${await fileSha256(path)}`;
}

/** Returns `h1:`, the hash of a list of the files, sorted by name, each line with hash and name. */
export async function contentHash(folder: string): Promise<string> {
  const list = createHash("sha256");
  for (const name of await filesIn(folder)) list.update(`${await fileSha256(join(folder, name))}  ${name}\n`);
  return `h1:${list.digest("base64")}`;
}

/** Returns the names of all files below a folder, sorted by bytes, with slashes. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      const name = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) await visit(name);
      else names.push(name);
    }
  };
  await visit("");
  return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
