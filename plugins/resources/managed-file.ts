/** A file at its place: put there whole, changed in one step, looked at, taken away. What it holds is its type's matter. */
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
import { heirOf, isElsewhere, movedFrom, notedPath, type ResolvedPath, registerPath, releasePath } from "./paths.js";

/** What is known of a file. */
export interface FileOutput extends Fingerprint {
  /** Relative to the root folder, with `/`; absolute only for an absolute path outside of it. */
  readonly path: string;
  /** Permission bits; only where they are declared. */
  readonly mode?: number;
}

type Updating = UpdateContext<FileOutput, unknown>;

type Reading = ReadContext<FileOutput, unknown>;

/** Key of a resource's note that its create has failed: then what is in place is not its own. */
const FAILED = "failed";

/** Permission of the owner to write. */
const WRITABLE = 0o200;

/** An interrupted create has left something, and no file in place: nothing that is there is ours. */
const BEGUN: Fingerprint = { size: 0, sha256: "" };

/**
 * Notes where a create fails. A create that was killed instead has left no note, and knows its file by the content; a
 * file of others may hold the same.
 */
export async function noteFailure<T>(context: HandlerBase, create: () => Promise<T>): Promise<T> {
  try {
    return await create();
  } catch (error) {
    await context.set(FAILED, true);
    throw error;
  }
}

/** @throws EngineError `FILE_EXISTS` where something is that is not ours, unless it is a file and to be adopted */
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
 * Puts the declared content in place of whatever the file holds. A file that is to be at another path, and one of which
 * there are only beginnings, is replaced.
 */
export async function updateFile(context: Updating, resolved: ResolvedPath, content: FileContent): Promise<FileOutput> {
  const { output } = context;
  if (isBegun(output)) return context.replace(true);
  const before = await movedFrom(context, resolved, output.path);
  if (before) {
    await leave(context, before);
    return context.replace();
  }
  registerPath(context, resolved);
  const there = await entryAt(resolved.absolute);
  if (there && !there.isFile()) throw occupied(resolved, false);
  const { path, fingerprint } = await writeAside(context, resolved, content, there);
  await replaceBy(path, resolved);
  return outputOf(resolved, content.mode, fingerprint);
}

/** True where `updateFile` asks to be replaced. Pure. */
export function movesFile(path: string, output: FileOutput): boolean {
  return isBegun(output) || isElsewhere(path, output.path);
}

/** The `mode` of the output, which is there where the program declares one. */
export function declaredMode({ mode }: { readonly mode?: number | undefined }): Pick<FileOutput, "mode"> {
  return mode === undefined ? {} : { mode };
}

/** What is there; undefined where nothing is, or no file. */
export async function readFile(
  context: Reading,
  resolved: ResolvedPath,
  mode: number | undefined,
): Promise<FileOutput | undefined> {
  registerPath(context, resolved);
  const there = await lookAt(resolved.absolute);
  return there && outputOf(resolved, mode === undefined ? undefined : keptMode(there.mode, mode), there);
}

/** Windows keeps of all permissions whether a file may be written: where that is as declared, so is the file. */
export function keptMode(found: number, declared: number, platform: PlatformName = process.platform): number {
  return platform === "win32" && (found & WRITABLE) === (declared & WRITABLE) ? declared : found;
}

/**
 * What an interrupted create of this resource has left, aside or in place. In place it is known by being the file aside
 * as well, else by its content, unless the create has failed.
 *
 * @param expected undefined where nobody knows any more what the content was to be
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

/** Takes the file away, whatever it holds by now; what is no file any more, or another resource's, stays. */
export async function deleteFile(context: DeleteContext<FileOutput, unknown>, resolved: ResolvedPath): Promise<void> {
  await discard(temporaryOf(context, resolved));
  if (!isBegun(context.output)) {
    await settle(context, resolved);
    const reason = await reasonToStay(context, resolved);
    if (reason !== undefined) return context.log(`"${resolved.path}" stays: ${reason}.`);
    await discard(resolved.absolute);
  }
  releasePath(context, resolved);
  await removeParents(context, resolved);
}

async function reasonToStay(context: HandlerBase, resolved: ResolvedPath): Promise<string | undefined> {
  const heir = heirOf(context, resolved);
  if (heir !== undefined) return `it belongs to "${heir}" now`;
  const there = await entryAt(resolved.absolute);
  return there && !there.isFile() ? "it is no file any more" : undefined;
}

async function replaceBy(
  temporary: string,
  { absolute }: ResolvedPath,
  platform: PlatformName = process.platform,
): Promise<void> {
  try {
    // Windows replaces nothing that may not be written.
    if (platform === "win32") await chmod(absolute, WRITABLE).catch(ignore);
    await whenFree(() => rename(temporary, absolute));
  } catch (error) {
    await discard(temporary);
    throw error;
  }
}

/** The removal of its other name may have made the file writable there. */
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
    ? "Remove it, or take it over with the resource option { adopt: true } or with --adopt. Where the resource was renamed, name its id of before with { aliases } before it is run."
    : "It is no regular file: remove it, or choose another path.";
  return new EngineError("FILE_EXISTS", `"${path}" exists, and was not made by this resource. ${advice}`);
}

/** Moves `temporary` to `path`; false, with the temporary file gone, when something is there already. */
async function publish(temporary: string, path: string): Promise<boolean> {
  try {
    // Unlike a rename, a link never takes the place of what is there.
    await link(temporary, path);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    // Windows says EISDIR where a FAT disk has no such function.
    if (!hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EISDIR")) throw error;
    return await publishWithoutLinks(temporary, path);
  } finally {
    await discard(temporary);
  }
}

/** Some disks have no hard links. There, what appears in the moment between the look and the rename is lost. */
async function publishWithoutLinks(temporary: string, path: string): Promise<boolean> {
  if (await entryAt(path)) return false;
  await whenFree(() => rename(temporary, path));
  return true;
}

/**
 * Files of replaced resources that wait for their deletion. A resource that comes to stand on such a path takes the
 * file over: it is the engine's already.
 */
export function leave({ scope }: HandlerBase, resolved: ResolvedPath): Promise<void> {
  return scope.root.set(keyOf(notedPath(resolved)), true);
}

export async function isLeft({ scope }: HandlerBase, resolved: ResolvedPath): Promise<boolean> {
  for (const key of keysOf(resolved)) if ((await scope.root.get(key)) === true) return true;
  return false;
}

/** The resource that left it is about to be gone. */
export async function settle({ scope }: HandlerBase, resolved: ResolvedPath): Promise<void> {
  for (const key of keysOf(resolved)) await scope.root.delete(key);
}

/** Also the one that a machine has noted on which capital letters count. */
function keysOf(resolved: ResolvedPath): ReadonlySet<string> {
  return new Set([notedPath(resolved), resolved.path].map(keyOf));
}

function keyOf(path: string): string {
  return `fs:left:${path}`;
}
