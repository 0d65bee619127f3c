/** Unpacks the archive of a provider, which may be made to do harm. */
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Entry, ZipFile } from "yauzl";
import { codeOf, hasCode, isEngineError, messageOf } from "../../../core/base/index.js";
import { unverified } from "./failure.js";

export interface UnpackLimits {
  readonly entries: number;
  /** Of all files together. */
  readonly bytes: number;
}

const LIMITS: UnpackLimits = { entries: 10_000, bytes: 8 * 2 ** 30 };
/** Of the mode that a Unix system writes: what kind of file it is, and that of a link. */
const [KIND, REGULAR] = [0o170000, 0o100000];

/**
 * @param folder empty
 * @throws EngineError `PROVIDER_UNVERIFIED` on what is no archive, or holds paths that lead out of it, links, or too much
 */
export async function unpack(archive: string, folder: string, limits = LIMITS): Promise<void> {
  const { default: yauzl } = await import("yauzl");
  const refused = (why: string, cause?: unknown): Error =>
    unverified(`${archive} cannot be unpacked: ${why}. Nothing of it was kept.`, cause);
  let zip: ZipFile | undefined;
  try {
    zip = await yauzl.openPromise(archive, { lazyEntries: true, autoClose: false });
    if (zip.entryCount > limits.entries) throw refused(`it has more than ${limits.entries} files`);
    let bytes = 0;
    for await (const entry of zip.eachEntry()) {
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes) throw refused(`it has more than ${limits.bytes} bytes`);
      if (!isPlain(entry)) throw refused(`"${entry.fileName}" is a link`);
      await write(zip, entry, join(folder, entry.fileName));
    }
  } catch (error) {
    // A full disk, say, is no fault of the archive.
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
  // Any of them may be the program: not every tool that packs writes modes.
  await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o700 }));
}
