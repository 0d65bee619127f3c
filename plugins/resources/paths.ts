/** Where a path of the program is: below the root folder of its scope, unless the program says otherwise. */
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, relative, resolve, sep } from "node:path";
import { EngineError, isAbsence, isEngineError } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";

/** A place that a resource may use. */
export interface Place {
  /** Absolute, and free of symbolic links but for its last part. */
  readonly absolute: string;
  /**
   * What outputs and messages say, the same on every machine: relative to the root folder, with `/`. Absolute only for
   * an absolute path outside of it.
   */
  readonly path: string;
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
export async function locate({ scope }: HandlerBase, path: string, options: PathOptions = {}): Promise<Place> {
  const before = asked.get(scope.signal);
  const found = find(scope, path, options);
  const nothing = (): void => {};
  asked.set(scope.signal, Promise.allSettled([before, found]).then(nothing));
  await before;
  return found;
}

/** By the signal of the run: settles when all that was asked for has been found, or has not. */
const asked = new WeakMap<AbortSignal, Promise<unknown>>();

async function find(scope: HandlerBase["scope"], path: string, options: PathOptions): Promise<Place> {
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
    return { absolute, path: portable(named ?? (isAbsolute(path) ? given : relative(scope.rootDir, given))) };
  }
  const how = isInside(relative(scope.rootDir, given)) ? "leads through a symbolic link to" : "is";
  throw new EngineError(
    "OUTSIDE_ROOT",
    `"${path}" ${how} "${absolute}", outside the root folder "${root}". Pass { outside: true } if that is meant.`,
  );
}

/** Like {@link locate}, but undefined where the place is refused. */
export async function locateIfAllowed(
  context: HandlerBase,
  path: string,
  options?: PathOptions,
): Promise<Place | undefined> {
  try {
    return await locate(context, path, options);
  } catch (error) {
    if (isEngineError(error, "OUTSIDE_ROOT") || isEngineError(error, "INVALID_PROPS")) return undefined;
    throw error;
  }
}

/** The `path` that a place will have, as far as the program alone tells: not where it may lead out of the root folder. */
export function knownPath(path: string): { readonly path?: string } {
  const name = spelled(path);
  return isAbsolute(path) || isAbove(name) ? {} : { path: name };
}

/**
 * True where a path of the program names another place than the `path` of an output, as {@link isMoved} finds.
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

/** True where a place is another one than the `path` of an output: not where that is but another name of it. */
export async function isMoved(
  context: HandlerBase,
  { absolute, path }: Place,
  recorded: string,
  options: Pick<PathOptions, "follow"> = {},
): Promise<boolean> {
  if (path === recorded) return false;
  const before = await locate(context, recorded, { ...options, outside: true });
  return before.absolute !== absolute;
}

function isAbove(name: string): boolean {
  return name === ".." || name.startsWith("../");
}

function spelled(path: string): string {
  return portable(normalize(path)).replace(/(?<=.)\/$/, "");
}

/** The place of the folder that holds another place; undefined at the root folder, and at the top. */
export function parentOf({ absolute, path }: Place): Place | undefined {
  const folder = dirname(path);
  if (folder === "." || folder === path || basename(folder) === "..") return undefined;
  return { absolute: dirname(absolute), path: folder };
}

function checkPath(path: unknown): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  throw new EngineError(
    "INVALID_PROPS",
    `A path must be a non-empty string, not ${JSON.stringify(path) ?? typeof path}.`,
  );
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
export function removedOutside({ outside }: PathOptions, { path }: Pick<Place, "path">): string | undefined {
  return outside === true && !isInside(normalize(path)) ? `removes ${path}, outside of the root folder` : undefined;
}
