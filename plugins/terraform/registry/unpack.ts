/** Unpacks the archive of a provider, which may be malicious. */

import { createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import {
  codeOf,
  fate,
  HOUR,
  hasCode,
  identity,
  isEngineError,
  makeOwnFolder,
  messageOf,
  type ProcessIdentity,
  uuid,
} from "../../../core/base/index.js";
import { counted } from "../../internal/text/counted.js";
import { missing, unverified } from "./failure.js";

export interface UnpackLimits {
  readonly entries: number;
  /** Total bytes of all files. */
  readonly bytes: number;
}

const LIMITS: UnpackLimits = { entries: 10_000, bytes: 8 * 2 ** 30 };

/** The bits of a Unix mode for the kind of file, and the kind of a regular file. */
const [KIND, REGULAR] = [0o170000, 0o100000];

/**
 * Unpacks an archive.
 *
 * @param folder empty
 * @throws EngineError `PROVIDER_UNVERIFIED` if it is not an archive, or holds paths that lead out of it, links, or too
 * much
 */
export async function unpack(archive: string, folder: string, limits = LIMITS): Promise<void> {
  const { default: yauzl } = await import("yauzl");
  const refused = (why: string, cause?: unknown): Error =>
    unverified(`${archive} cannot be unpacked: ${why}. Nothing was kept.`, cause);
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > limits.entries) throw refused(`it has more than ${counted(limits.entries, "file")}`);
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes)
        throw refused(`its unpacked files have more than ${counted(limits.bytes, "byte")} in total`);
      if (!isPlain(entry)) throw refused(`"${entry.fileName}" is a link`);
      await write(zip, entry, join(folder, entry.fileName));
    }
  } catch (error) {
    // A full disk, for example, is not a fault of the archive.
    if (isEngineError(error) || (codeOf(error) !== "" && !hasCode(error, "EEXIST", "ENOTDIR"))) throw error;
    throw refused(messageOf(error), error);
  } finally {
    zip?.close();
  }
}

function isPlain({ externalFileAttributes, fileName }: Entry): boolean {
  const kind = (externalFileAttributes >>> 16) & KIND;
  return fileName.endsWith("/") || kind === 0 || kind === REGULAR;
}

async function write(zip: ZipFile, entry: Entry, path: string): Promise<void> {
  if (entry.fileName.endsWith("/")) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return;
  }
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const stream = await zip.openReadStreamPromise(entry);
  // Any file may be the program, because not every archiver writes modes.
  await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o700 }));
}

// Temporary folders for downloads until they are verified, one each, on the same disk as the cache.

const [INCOMING, OWNER] = [".incoming", "owner.json"];

/** Calls `work` with a temporary folder. Afterwards deletes it; also deletes folders of killed processes. */
export async function withIncoming<T>(root: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(root, INCOMING, uuid());
  makeOwnFolder(folder);
  try {
    await writeFile(join(folder, OWNER), JSON.stringify(identity()), { mode: 0o600 });
    await sweep(root, folder);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function sweep(root: string, own: string): Promise<void> {
  // Uses the clock of the disk, because the clock of this machine may be wrong by days.
  const now = (await stat(own)).mtimeMs;
  for (const name of await readdir(join(root, INCOMING))) {
    const folder = join(root, INCOMING, name);
    // A folder that cannot be removed only takes space.
    if (folder !== own && (await isLeft(folder, now)))
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function isLeft(folder: string, now: number): Promise<boolean> {
  const owner: ProcessIdentity | undefined = await readFile(join(folder, OWNER), "utf8")
    .then(JSON.parse)
    .catch(() => undefined);
  const sight = owner === undefined ? "unknown" : fate(owner, identity());
  if (sight !== "unknown") return sight === "gone";
  const touched = (await stat(folder).catch(() => undefined))?.mtimeMs;
  // Created by another machine that shares the folder, or before its owner was noted.
  return touched !== undefined && now - touched > 24 * HOUR;
}

// Finds the program among the files of a provider.

const NAME = /^terraform-provider-([0-9a-z][0-9a-z-]*)(?:_[^/\\]*)?$/i;

/** Returns the provider type from the name of a program: `random` for `terraform-provider-random_v3.6.0`. */
export function typeOfProgram(path: string): string | undefined {
  return NAME.exec(basename(path).replace(/\.exe$/i, ""))?.[1]?.toLowerCase();
}

/** @throws EngineError `PROVIDER_UNVERIFIED` if there is none */
export async function executableIn(folder: string, type: string): Promise<string> {
  const found = (await readdir(folder)).sort().find((name) => typeOfProgram(name) === type);
  if (found !== undefined) return join(folder, found);
  throw unverified(
    `${folder} has no program terraform-provider-${type}. Report this to the publisher of the provider.`,
  );
}

/** Returns the program at a path: a file, or a folder with one provider. @throws EngineError `PROVIDER_MISSING` */
export async function executableAt(path: string): Promise<string> {
  const there = await stat(path).catch((error: unknown) => {
    throw missing(`There is no provider at ${path}. Build it, or correct the path.`, error);
  });
  if (!there.isDirectory()) return path;
  const names = (await readdir(path)).filter((name) => typeOfProgram(name) !== undefined).sort();
  if (names.length === 1) return join(path, names[0] ?? "");
  throw missing(
    names.length === 0
      ? `The folder ${path} has no file terraform-provider-…. Build the provider, or pass the path of its file.`
      : `The folder ${path} has several providers (${names.join(", ")}). Pass the path of one file.`,
  );
}
