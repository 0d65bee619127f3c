/** Computes one fingerprint for all files that a command depends on. */
import { createHash } from "node:crypto";
import { lstat, open, readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { isAbsence } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { locate } from "./paths.js";

export interface InputFiles {
  /** Files, folders with their contents, and patterns, relative to `cwd`. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly outside: boolean;
}

/**
 * Returns the SHA-256 over the names and contents of files, in hexadecimal. A named file that is missing counts as
 * absent, so that its creation changes the digest.
 *
 * @throws EngineError `OUTSIDE_ROOT`, `INVALID_PROPS`
 */
export async function digestFiles(context: HandlerBase, { names, cwd, outside }: InputFiles): Promise<string> {
  const found = new Set<string>();
  for (const name of names) {
    const pattern = fromFolder(cwd, resolve(cwd, name));
    const glob = parseGlob(pattern);
    const start = join(cwd, glob ? glob.base : pattern);
    await locate(context, start, { outside, follow: true });
    const paths = (await isFolder(start)) ? await filesBelow(start) : glob ? [] : [start];
    for (const path of paths) if (!glob || glob.matches(fromFolder(cwd, path))) found.add(path);
  }
  const hash = createHash("sha256");
  for (const path of inOrder(found)) hash.update(`${fromFolder(cwd, path)}\0${await contentOf(path)}\n`);
  return hash.digest("hex");
}

/** Sorts paths with slashes, so that the order is the same on every system. */
function inOrder(paths: Iterable<string>): readonly string[] {
  const byName = [...paths].map((path) => [path.split(sep).join("/"), path] as const);
  return byName.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
}

function fromFolder(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}

async function contentOf(path: string): Promise<string> {
  try {
    return (await lookAt(await realpath(path)))?.sha256 ?? "no file";
  } catch (error) {
    if (isAbsence(error)) return "absent";
    throw error;
  }
}

/** Lists the files below a folder. Links to folders are not followed, because they may form cycles. */
async function filesBelow(folder: string): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesBelow(path)));
    else files.push(path);
  }
  return files;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
}

/** A pattern for files: `*` and `?` within a name, `**` for any number of folders. */
interface Glob {
  /** The folders before the first wildcard, `""` for none. */
  readonly base: string;
  /** Tests a path with `/`, relative to the folder of the pattern. */
  matches(path: string): boolean;
}

/**
 * Returns undefined for a path without wildcards. As in a shell, wildcards do not match names that begin with a dot.
 */
function parseGlob(pattern: string): Glob | undefined {
  const parts = pattern.split("/");
  const first = parts.findIndex((part) => /[*?]/.test(part));
  if (first < 0) return undefined;
  const source = parts.map((part, index) => sourceOf(part, index === parts.length - 1)).join("");
  const expression = new RegExp(`^${source}$`, "u");
  return { base: parts.slice(0, first).join("/"), matches: (path) => expression.test(path) };
}

function sourceOf(part: string, isLast: boolean): string {
  if (part === "**") return isLast ? "(?:(?!\\.)[^/]+/)*(?!\\.)[^/]+" : "(?:(?!\\.)[^/]+/)*";
  const visible = /^[*?]/.test(part) ? "(?!\\.)" : "";
  const name = part.replace(/[\\^$.+()[\]{}|*?]/g, (character) => {
    if (character === "*") return "[^/]*";
    return character === "?" ? "[^/]" : `\\${character}`;
  });
  return visible + name + (isLast ? "" : "/");
}

/** Size and digest of a file, short enough to be recorded. */
export interface Fingerprint {
  /** Bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hexadecimal. */
  readonly sha256: string;
}

interface FileState extends Fingerprint {
  /** Permission bits. */
  readonly mode: number;
}

const CHUNK = 256 * 1024;

export function fingerprintOf(bytes: Uint8Array): Fingerprint {
  return { size: bytes.byteLength, sha256: createHash("sha256").update(bytes).digest("hex") };
}

/** Reads a regular file; undefined if there is none. A symbolic link is not a regular file. */
export async function lookAt(path: string): Promise<FileState | undefined> {
  const there = await entryAt(path);
  if (!there?.isFile()) return undefined;
  return { ...(await readThrough(path, Math.min(there.size + 1, CHUNK))), mode: there.mode & 0o7777 };
}

/** The members of Node's `Stats` that are used. */
export interface Entry {
  isFile(): boolean;
  readonly mode: number;
  readonly size: number;
}

/** Returns the entry at a path without following links; undefined if there is none. */
export async function entryAt(path: string): Promise<Entry | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** True for two names of one file, compared by the 64-bit inode number, without following links. */
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
