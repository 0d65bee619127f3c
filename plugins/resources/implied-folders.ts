/**
 * Folders that no resource declares, made because something in them needs them. They are noted in the state of the
 * stage, and go with the last of its resources in them, whichever that is; folders that were there before stay.
 */
import { chmod, mkdir, opendir, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, isAbsence, whenFree } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { encodeName } from "../../core/state/index.js";
import { durable } from "./durable.js";
import { type Entry, entryAt, type Fingerprint } from "./input-files.js";
import { parentOf, type ResolvedPath } from "./paths.js";

/** The content of a file, as it is declared. */
export interface FileContent {
  /** Permission bits; undefined leaves them to the system for a new file, and as they are for an old one. */
  readonly mode: number | undefined;
  /** Writes it to a path where nothing is. */
  writeTo(path: string): Promise<Fingerprint>;
}

/** Notes of a run, by its signal: while a stage is destroyed, its state takes no new ones. */
const runs = new WeakMap<AbortSignal, Set<string>>();

/** Makes the folders that are missing above a place. */
export async function makeParents(context: HandlerBase, resolved: ResolvedPath): Promise<void> {
  const missing: ResolvedPath[] = [];
  for (let folder = parentOf(resolved); folder && !(await entryAt(folder.absolute)); folder = parentOf(folder)) {
    missing.unshift(folder);
  }
  // The root folder itself is nobody's: it holds more than resources.
  await mkdir(context.scope.rootDir, { recursive: true });
  // Noted first: what is made and not noted would never be removed.
  for (const folder of missing) await note(context, folder);
  await durable(context);
  for (const folder of missing) await makeFolder(folder);
}

/** Removes the noted folders above a place that are empty now. */
export async function removeParents(context: HandlerBase, resolved: ResolvedPath): Promise<void> {
  for (let folder = parentOf(resolved); folder; folder = parentOf(folder)) {
    if (await isNoted(context, folder)) {
      if (!(await removeEmpty(folder))) return;
      await forget(context, folder);
    } else if (await entryAt(folder.absolute)) return;
  }
}

/** True when the last folder that exists above a place is noted and empty: an interrupted create may have made it. */
export async function hasEmptyParent(context: HandlerBase, resolved: ResolvedPath): Promise<boolean> {
  let folder = parentOf(resolved);
  while (folder && !(await entryAt(folder.absolute))) folder = parentOf(folder);
  if (!folder || !(await isNoted(context, folder))) return false;
  const entries = await opendir(folder.absolute);
  try {
    return (await entries.read()) === null;
  } finally {
    await entries.close();
  }
}

/** From now on the folder goes with the last resource in it. */
export async function note({ scope }: HandlerBase, folder: ResolvedPath): Promise<void> {
  const notes = runs.get(scope.signal) ?? new Set();
  runs.set(scope.signal, notes.add(keyOf(folder)));
  await scope.root.set(keyOf(folder), true);
}

export async function isNoted({ scope }: HandlerBase, folder: ResolvedPath): Promise<boolean> {
  const key = keyOf(folder);
  return runs.get(scope.signal)?.has(key) === true || (await scope.root.get(key)) === true;
}

export async function forget({ scope }: HandlerBase, folder: ResolvedPath): Promise<void> {
  runs.get(scope.signal)?.delete(keyOf(folder));
  await scope.root.delete(keyOf(folder));
}

/** False when something was there already. */
export async function makeFolder({ absolute }: ResolvedPath): Promise<boolean> {
  try {
    await mkdir(absolute);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** False when the folder is not empty, or no folder at all. */
export async function removeEmpty({ absolute }: ResolvedPath): Promise<boolean> {
  try {
    await rmdir(absolute);
    return true;
  } catch (error) {
    if (hasCode(error, "ENOTEMPTY", "EEXIST", "ENOTDIR")) return false;
    if (isAbsence(error)) return true;
    throw error;
  }
}

function keyOf({ path }: ResolvedPath): string {
  return `fs:folder:${path}`;
}

/** Files are written aside, next to where they belong, under a name that only their resource has. */
interface Aside {
  readonly path: string;
  readonly fingerprint: Fingerprint;
}

/** The uid is in it, so that an interrupted create recognises what it has left. */
export function temporaryOf({ uid }: HandlerBase, { absolute }: ResolvedPath): string {
  return join(dirname(absolute), `.${encodeName(uid)}.tmp`);
}

/** Writes the content, with the declared permissions, else those of the file that it replaces. */
export async function writeAside(
  context: HandlerBase,
  resolved: ResolvedPath,
  content: FileContent,
  replaces: Entry | undefined,
): Promise<Aside> {
  const path = temporaryOf(context, resolved);
  await discard(path);
  try {
    const fingerprint = await writeWithParents(context, resolved, content, path);
    const mode = content.mode ?? (replaces && replaces.mode & 0o7777);
    if (mode !== undefined) await chmod(path, mode);
    return { path, fingerprint };
  } catch (error) {
    await discard(path);
    throw error;
  }
}

/** Removes a temporary file, if it is there. */
export async function discard(path: string): Promise<void> {
  await whenFree(() => unlink(path)).catch((error: unknown) => {
    if (!isAbsence(error)) throw error;
  });
}

async function writeWithParents(
  context: HandlerBase,
  resolved: ResolvedPath,
  content: FileContent,
  path: string,
): Promise<Fingerprint> {
  try {
    return await content.writeTo(path);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
    await makeParents(context, resolved);
    return content.writeTo(path);
  }
}
