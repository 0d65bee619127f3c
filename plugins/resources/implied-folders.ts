/**
 * Creates undeclared folders that a resource needs. They are noted in the state of the stage, and removed with the last
 * of its resources in them. Folders that existed before stay.
 */
import { chmod, mkdir, opendir, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode, isAbsence, whenFree } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { encodeName } from "../../core/state/index.js";
import { durable } from "./durable.js";
import { type Entry, entryAt, type Fingerprint } from "./input-files.js";
import { parentOf, type ResolvedPath } from "./paths.js";

/** The declared content of a file. */
export interface FileContent {
  /** Permission bits; undefined means the default of the system for a new file, and no change for an existing one. */
  readonly mode: number | undefined;
  /** Its fingerprint, if that is known before it is written. */
  readonly fingerprint?: Fingerprint;
  /** Writes it to a free path. */
  writeTo(path: string): Promise<Fingerprint>;
}

/** Notes of each run, by its signal, because the state accepts no new notes while its stage is destroyed. */
const runs = new WeakMap<AbortSignal, Set<string>>();

/** Creates the missing folders above a place. */
export async function makeParents(context: HandlerBase, resolved: ResolvedPath): Promise<void> {
  const missing: ResolvedPath[] = [];
  for (let folder = parentOf(resolved); folder && !(await entryAt(folder.absolute)); folder = parentOf(folder)) {
    missing.unshift(folder);
  }
  // The root folder itself belongs to no resource, so it is not noted.
  await mkdir(context.scope.rootDir, { recursive: true });
  // Noted first, because a folder without a note would never be removed.
  for (const folder of missing) await note(context, folder);
  await durable(context);
  for (const folder of missing) await makeFolder(folder);
}

/** Removes the noted folders above a place that are empty now. */
export async function removeParents(context: HandlerBase, resolved: ResolvedPath): Promise<void> {
  for (let folder = parentOf(resolved); folder; folder = parentOf(folder)) {
    if (await isNoted(context, folder)) {
      if (!(await removeEmpty(folder))) return;
      await removeNote(context, folder);
    } else if (await entryAt(folder.absolute)) return;
  }
}

/** True if the nearest existing folder above a place is noted and empty: an interrupted create may have created it. */
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

/** Notes a folder, so that it is removed with the last resource in it. */
export async function note({ scope }: HandlerBase, folder: ResolvedPath): Promise<void> {
  const notes = runs.get(scope.signal) ?? new Set();
  runs.set(scope.signal, notes.add(keyOf(folder)));
  await scope.root.set(keyOf(folder), true);
}

export async function isNoted({ scope }: HandlerBase, folder: ResolvedPath): Promise<boolean> {
  const key = keyOf(folder);
  return runs.get(scope.signal)?.has(key) === true || (await scope.root.get(key)) === true;
}

export async function removeNote({ scope }: HandlerBase, folder: ResolvedPath): Promise<void> {
  runs.get(scope.signal)?.delete(keyOf(folder));
  await scope.root.delete(keyOf(folder));
}

/** Creates a folder. False if the path existed already. */
export async function makeFolder({ absolute }: ResolvedPath): Promise<boolean> {
  try {
    await mkdir(absolute);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Removes a folder. False if it is not empty, or not a folder. */
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

/** A temporary file next to the final path. Its name contains the uid of the resource. */
interface Aside {
  readonly path: string;
  readonly fingerprint: Fingerprint;
}

/**
 * Returns the path of a temporary file. It contains the uid, so that the resource recognizes it after an interrupted
 * create.
 */
export function temporaryOf({ uid }: HandlerBase, { absolute }: ResolvedPath): string {
  return join(dirname(absolute), `.${encodeName(uid)}.tmp`);
}

/** Writes the content to a temporary file, with the declared permissions, else those of the file that it replaces. */
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

/** Removes a file if it exists. */
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
