/** Where a path of the program is: below the root folder of its scope, unless the program says otherwise. */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { EngineError, isAbsence, isEngineError, type PlatformName } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { foldsCase } from "./folds-case.js";
import { windowsProblem } from "./windows-names.js";

/** A place that a resource may use. */
export interface ResolvedPath {
  /** Absolute, and free of symbolic links but for its last part. */
  readonly absolute: string;
  /**
   * What outputs and messages say, the same on every machine: relative to the root folder, with `/`. Absolute only for
   * an absolute path outside of it.
   */
  readonly path: string;
  /** Its disk takes capital letters for small ones: other spellings are this very place. */
  readonly foldsCase: boolean;
}

export interface PathOptions {
  /** Allow a place outside the root folder. Default: false. */
  readonly outside?: boolean;
  /** A symbolic link stands for what it points to. Default: false, the link itself is the place. */
  readonly follow?: boolean;
}

/**
 * Finds the place that a path names, relative to the scope's `rootDir`. Parents that are symbolic links are followed:
 * it is the real place that has to be inside. Within a run places are found in the order in which they are asked for, however
 * long the disk takes for each: of two resources that want one place it is always the same that comes first.
 *
 * @throws EngineError `OUTSIDE_ROOT`, `INVALID_PROPS`
 */
export async function locate({ scope }: HandlerBase, path: string, options: PathOptions = {}): Promise<ResolvedPath> {
  const before = asked.get(scope.signal);
  const found = find(scope, path, options);
  const nothing = (): void => {};
  asked.set(scope.signal, Promise.allSettled([before, found]).then(nothing));
  await before;
  return found;
}

/** By the signal of the run: settles when all that was asked for has been found, or has not. */
const asked = new WeakMap<AbortSignal, Promise<unknown>>();

async function find(scope: HandlerBase["scope"], path: string, options: PathOptions): Promise<ResolvedPath> {
  const { outside = false, follow = false } = options;
  checkPath(path);
  const given = resolve(scope.rootDir, path);
  const root = await realPath(scope.rootDir);
  const isRoot = given === resolve(scope.rootDir);
  const absolute = isRoot
    ? root
    : follow
      ? await realPath(given)
      : join(await realPath(dirname(given)), basename(given));
  const named = [relative(scope.rootDir, given), relative(root, absolute)].find(isInside);
  if (isInside(relative(root, absolute)) || outside) {
    const folds = await foldsCase(root);
    return {
      absolute,
      foldsCase: folds,
      path: portable(named ?? (isAbsolute(path) ? given : relative(scope.rootDir, given))),
    };
  }
  const how = isInside(relative(scope.rootDir, given)) ? "leads through a symbolic link to" : "is";
  throw new EngineError(
    "OUTSIDE_ROOT",
    `"${path}" ${how} "${absolute}", outside the root folder "${root}". Pass { outside: true } if that is meant.`,
  );
}

/** The same for all spellings of a place. */
export function keyOfPath({ absolute, foldsCase: folds }: ResolvedPath): string {
  return spelling(absolute, folds);
}

/** The path of a place as notes have it. */
export function notedPath({ path, foldsCase: folds }: ResolvedPath): string {
  return spelling(path, folds);
}

function spelling(path: string, folds: boolean): string {
  return folds ? path.toLowerCase() : path;
}

/** Like {@link locate}, but undefined where the place is refused. */
export async function locateIfAllowed(
  context: HandlerBase,
  path: string,
  options?: PathOptions,
): Promise<ResolvedPath | undefined> {
  try {
    return await locate(context, path, options);
  } catch (error) {
    if (isEngineError(error, "OUTSIDE_ROOT") || isEngineError(error, "INVALID_PROPS")) return undefined;
    throw error;
  }
}

/**
 * The `path` that a place will have. Pure: the program alone tells it of a relative path inside the root folder, and the recorded path of
 * one that stays where it is.
 */
export function knownPath(path: string, recorded?: string): { readonly path?: string } {
  const name = spelled(path);
  if (!isAbsolute(path) && !isAbove(name)) return { path: name };
  if (recorded === undefined || isElsewhere(path, recorded)) return {};
  return name === recorded || isInside(normalize(recorded)) ? { path: recorded } : {};
}

/**
 * True where a path of the program names another place than the `path` of an output, as {@link movedFrom} finds.
 *
 * Pure, so it knows neither the root folder nor links: of an absolute path and a relative one that end alike it says that
 * they are one place.
 */
export function isElsewhere(path: string, recorded: string): boolean {
  const name = spelled(path);
  if (isAbsolute(path) === isAbsolute(recorded)) return name !== recorded;
  const [absolute, other] = isAbsolute(path) ? [name, recorded] : [recorded, name];
  const end = other.replace(/^(\.\.(\/|$))+/, "");
  return end !== "" && end !== "." && !absolute.endsWith(`/${end}`);
}

/** The place of the `path` of an output, where that is another one: undefined where it is but another name of this. */
export async function movedFrom(
  context: HandlerBase,
  { absolute, path }: ResolvedPath,
  recorded: string,
  options: Pick<PathOptions, "follow"> = {},
): Promise<ResolvedPath | undefined> {
  if (path === recorded) return undefined;
  const before = await locate(context, recorded, { ...options, outside: true });
  return before.absolute === absolute ? undefined : before;
}

function isAbove(name: string): boolean {
  return name === ".." || name.startsWith("../");
}

function spelled(path: string): string {
  return portable(normalize(path)).replace(/(?<=.)\/$/, "");
}

/** The place of the folder that holds another place; undefined at the root folder, and at the top. */
export function parentOf({ absolute, path, ...place }: ResolvedPath): ResolvedPath | undefined {
  const folder = dirname(path);
  if (folder === "." || folder === path || basename(folder) === "..") return undefined;
  return { ...place, absolute: dirname(absolute), path: folder };
}

/** @throws EngineError `INVALID_PROPS` */
export function checkPath(path: unknown, platform: PlatformName = process.platform): asserts path is string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    const given = JSON.stringify(path) ?? typeof path;
    throw new EngineError("INVALID_PROPS", `A path must be a non-empty string, not ${given}.`);
  }
  const problem = platform === "win32" ? windowsProblem(path) : undefined;
  if (problem !== undefined) {
    throw new EngineError("INVALID_PROPS", `Windows cannot have "${path}": ${problem}. Choose another path.`);
  }
}

function isInside(fromRoot: string): boolean {
  return fromRoot !== ".." && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

function portable(path: string): string {
  return path === "" ? "." : path.split(sep).join("/");
}

/** The path without symbolic links, as far as it exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) throw error;
    return join(await realPath(parent), basename(path));
  }
}

/** What a plan says of the delete of something that is recorded as allowed to be outside of the root folder, and is. */
export function removedOutside({ outside }: PathOptions, { path }: Pick<ResolvedPath, "path">): string | undefined {
  return outside === true && !isInside(normalize(path)) ? `removes ${path}, outside of the root folder` : undefined;
}
