/** Creates, reads, changes and deletes a file, each in one step. Its type provides the content. */
import { chmod, link, rename } from "node:fs/promises";
import { EngineError, hasCode, ignore, type PlatformName, whenFree } from "../../core/base/index.js";
import type { DeleteContext, HandlerBase, ReadContext, UpdateContext } from "../../core/contract/index.js";
import {
  discard,
  type FileContent,
  hasEmptyParent,
  removeParents,
  temporaryOf,
  writeAside,
} from "./implied-folders.js";
import { entryAt, type Fingerprint, isSameFile, lookAt } from "./input-files.js";
import {
  isElsewhere,
  movedFrom,
  newOwnerOf,
  notedPath,
  type ResolvedPath,
  registerPath,
  releasePath,
} from "./paths.js";

/** Output of a file. */
export interface FileOutput extends Fingerprint {
  /** Relative to the root folder, with `/`; absolute only for an absolute path outside of it. */
  readonly path: string;
  /** Permission bits; only if the program declares them. */
  readonly mode?: number;
}

type Updating = UpdateContext<FileOutput, unknown>;

type Reading = ReadContext<FileOutput, unknown>;

/** Key of the note that the create of a resource failed: then a file at its path is not its own. */
const FAILED = "failed";

/** Permission of the owner to write. */
const WRITABLE = 0o200;

/** Fingerprint for an interrupted create that left something, but not the file: a file at the path is not ours. */
const BEGUN: Fingerprint = { size: 0, sha256: "" };

/**
 * Notes that a create failed. A killed create leaves no note, and recognizes its file by the content, which a file of
 * another program may have, too.
 */
export async function noteFailure<T>(context: HandlerBase, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    await context.set(FAILED, true);
    throw error;
  }
}

/** @throws EngineError `FILE_EXISTS` if the path is taken and not ours, unless it is a file to adopt */
export async function createFile(
  context: HandlerBase,
  resolved: ResolvedPath,
  content: FileContent,
): Promise<FileOutput> {
  registerPath(context, resolved);
  const there = await entryAt(resolved.absolute);
  if (there && !(there.isFile() && (context.adopt || (await isLeft(context, resolved))))) {
    throw occupied(resolved, there.isFile());
  }
  await context.delete(FAILED);
  const { path, fingerprint } = await writeAside(context, resolved, content, there);
  if (there) await replaceBy(path, resolved);
  else if (!(await publish(path, resolved.absolute))) throw occupied(resolved, true);
  await keepMode(resolved.absolute, content.mode);
  return outputOf(resolved, content.mode, fingerprint);
}

/**
 * Replaces the content of the file with the declared one. A file with a new path is replaced as a whole, and so is one
 * whose create was interrupted. A file to adopt that is as declared stays as it is.
 */
export async function updateFile(context: Updating, resolved: ResolvedPath, content: FileContent): Promise<FileOutput> {
  const { output } = context;
  if (isBegun(output)) return context.replace(true);
  const before = await movedFrom(context, resolved, output.path);
  if (before) {
    await noteLeftFile(context, before);
    return context.replace();
  }
  registerPath(context, resolved);
  const there = await entryAt(resolved.absolute);
  if (there && !there.isFile()) throw occupied(resolved, false);
  const same =
    context.adopt && there?.size === content.fingerprint?.size ? await asDeclared(resolved, content) : undefined;
  if (same) return outputOf(resolved, content.mode, same);
  const { path, fingerprint } = await writeAside(context, resolved, content, there);
  await replaceBy(path, resolved);
  return outputOf(resolved, content.mode, fingerprint);
}

/** Returns the fingerprint of the file if it is as declared. */
async function asDeclared(
  { absolute }: ResolvedPath,
  { mode, fingerprint }: FileContent,
): Promise<Fingerprint | undefined> {
  const found = fingerprint && (await lookAt(absolute));
  if (!found || found.sha256 !== fingerprint.sha256) return undefined;
  return mode === undefined || keptMode(found.mode, mode) === mode ? found : undefined;
}

/** True if `updateFile` will ask for a replacement. */
export function movesFile(path: string, output: FileOutput): boolean {
  return isBegun(output) || isElsewhere(path, output.path);
}

/** Returns the `mode` of the output; empty if the program declares none. */
export function declaredMode({ mode }: { readonly mode?: number | undefined }): Pick<FileOutput, "mode"> {
  return mode === undefined ? {} : { mode };
}

/** Reads the file; undefined if there is none. */
export async function readFile(
  context: Reading,
  resolved: ResolvedPath,
  mode: number | undefined,
): Promise<FileOutput | undefined> {
  registerPath(context, resolved);
  const there = await lookAt(resolved.absolute);
  return there && outputOf(resolved, mode === undefined ? undefined : keptMode(there.mode, mode), there);
}

/**
 * Returns the permissions of a file. Windows keeps only one of them, "writable": if it matches, all count as declared.
 */
export function keptMode(found: number, declared: number, platform: PlatformName = process.platform): number {
  return platform === "win32" && (found & WRITABLE) === (declared & WRITABLE) ? declared : found;
}

/**
 * Reads the result of an interrupted create: a temporary file, or the file itself. The file itself is recognized
 * because it is the same as the temporary file, else by its content, unless the create failed.
 *
 * @param expected undefined if the intended content is not known any more
 */
export async function readInterrupted(
  context: Reading,
  resolved: ResolvedPath,
  expected: Fingerprint | undefined,
): Promise<FileOutput | undefined> {
  const [aside, there] = await Promise.all([entryAt(temporaryOf(context, resolved)), entryAt(resolved.absolute)]);
  const isLinked = aside && there && (await isSameFile(temporaryOf(context, resolved), resolved.absolute));
  if (aside && !isLinked) return outputOf(resolved, undefined, BEGUN);
  const found = await lookAt(resolved.absolute);
  if (!found) return (await hasEmptyParent(context, resolved)) ? outputOf(resolved, undefined, BEGUN) : undefined;
  if (!aside && (found.sha256 !== expected?.sha256 || (await context.get(FAILED)) === true)) return undefined;
  return outputOf(resolved, undefined, found);
}

/** Deletes the file, whatever it contains. If it is not a file any more, or belongs to another resource, it stays. */
export async function deleteFile(context: DeleteContext<FileOutput, unknown>, resolved: ResolvedPath): Promise<void> {
  await discard(temporaryOf(context, resolved));
  if (!isBegun(context.output)) {
    await removeLeftNote(context, resolved);
    const reason = await reasonToStay(context, resolved);
    if (reason !== undefined) return context.log(`"${resolved.path}" stays: ${reason}.`);
    await discard(resolved.absolute);
  }
  releasePath(context, resolved);
  await removeParents(context, resolved);
}

async function reasonToStay(context: HandlerBase, resolved: ResolvedPath): Promise<string | undefined> {
  const owner = newOwnerOf(context, resolved);
  if (owner !== undefined) return `it belongs to "${owner}" now`;
  const there = await entryAt(resolved.absolute);
  return there && !there.isFile() ? "it is not a file any more" : undefined;
}

async function replaceBy(
  temporary: string,
  { absolute }: ResolvedPath,
  platform: PlatformName = process.platform,
): Promise<void> {
  try {
    // Windows does not replace a file that is read-only.
    if (platform === "win32") await chmod(absolute, WRITABLE).catch(ignore);
    await whenFree(() => rename(temporary, absolute));
  } catch (error) {
    await discard(temporary);
    throw error;
  }
}

/** Sets the mode again on Windows, where the removal of the file's other name may have made it writable. */
async function keepMode(
  path: string,
  mode: number | undefined,
  platform: PlatformName = process.platform,
): Promise<void> {
  if (platform === "win32" && mode !== undefined) await chmod(path, mode);
}

function isBegun({ sha256 }: FileOutput): boolean {
  return sha256 === BEGUN.sha256;
}

function outputOf({ path }: ResolvedPath, mode: number | undefined, { size, sha256 }: Fingerprint): FileOutput {
  return { path, size, sha256, ...declaredMode({ mode }) };
}

function occupied({ path }: ResolvedPath, isFile: boolean): EngineError {
  const advice = isFile
    ? "Remove it, or adopt it with the resource option { adopt: true } or with --adopt. If you renamed the resource, name its former id with { aliases } before the next run."
    : "It is not a regular file: remove it, or choose another path.";
  return new EngineError("FILE_EXISTS", `"${path}" exists and was not created by this resource. ${advice}`);
}

/**
 * Moves `temporary` to `path`. If the path exists already, returns false; the temporary file is removed in any case.
 */
async function publish(temporary: string, path: string): Promise<boolean> {
  try {
    // In contrast to a rename, a link never replaces an existing file.
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    // Windows reports EISDIR for a FAT disk, which has no hard links.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EISDIR")) throw error;
    return await publishWithoutLinks(temporary, path);
  } finally {
    await discard(temporary);
  }
}

/** For disks without hard links. A file that appears between the check and the rename is lost. */
async function publishWithoutLinks(temporary: string, path: string): Promise<boolean> {
  if (await entryAt(path)) return false;
  await whenFree(() => rename(temporary, path));
  return true;
}

/**
 * Notes that the file of a replaced resource waits for its delete. A new resource at this path takes the file over,
 * because it belongs to the engine.
 */
export function noteLeftFile({ scope }: HandlerBase, resolved: ResolvedPath): Promise<void> {
  return scope.root.set(keyOf(notedPath(resolved)), true);
}

export async function isLeft({ scope }: HandlerBase, resolved: ResolvedPath): Promise<boolean> {
  for (const key of keysOf(resolved)) if ((await scope.root.get(key)) === true) return true;
  return false;
}

/** Removes the note, because the resource that left the file is being deleted. */
export async function removeLeftNote({ scope }: HandlerBase, resolved: ResolvedPath): Promise<void> {
  for (const key of keysOf(resolved)) await scope.root.delete(key);
}

/** Returns the keys of both spellings: the note may come from a machine whose disk distinguishes case. */
function keysOf(resolved: ResolvedPath): ReadonlySet<string> {
  return new Set([notedPath(resolved), resolved.path].map(keyOf));
}

function keyOf(path: string): string {
  return `fs:left:${path}`;
}
