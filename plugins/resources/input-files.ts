/** One fingerprint for all files that a command depends on. */
import { createHash } from "node:crypto";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { isAbsence } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { lookAt } from "./fingerprint.js";
import { parseGlob } from "./glob.js";
import { locate } from "./paths.js";

export interface InputFiles {
  /** Files, folders with all that is in them, and patterns, relative to `cwd`. */
  readonly names: readonly string[];
  readonly cwd: string;
  readonly outside: boolean;
}

/**
 * SHA-256 over the names and contents of files, in hexadecimal. What is named and not there counts as absent, so that
 * its coming is noticed.
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

/** The same on every system: a backslash would come behind other characters than a slash. */
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

/** Links to folders are not followed: they may lead in circles. */
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
