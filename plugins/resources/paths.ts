/** Where a path of the program is: below the root folder of its scope, unless the program says otherwise. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, posix, relative, resolve, sep } from "node:path";
import { EngineError, isAbsence, isEngineError, type PlatformName } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";

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

// Names of files that Windows refuses, or takes for others without saying so. Pure.

const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** What is wrong with a path, as the end of a sentence; undefined where Windows has it as it is written. */
function windowsProblem(path: string): string | undefined {
  const names = path
    .replaceAll("\\", posix.sep)
    .replace(/^\/\/\?\//, "")
    .replace(/^[A-Za-z]:/, "")
    .split(posix.sep);
  for (const name of names.filter((one) => one !== "." && one !== "..")) {
    if (DEVICE.test(name)) return `"${name}" is a device`;
    const [character] = /[<>:"|?*\p{Cc}]/u.exec(name) ?? [];
    if (character !== undefined) return `no name has ${JSON.stringify(character)} in it`;
    if (/[. ]$/.test(name)) return `"${name}" loses its end`;
  }
  return undefined;
}

/** What tells a file from others; undefined where there is none. */
export type Look = (path: string) => Promise<{ readonly ino: bigint; readonly dev: bigint } | undefined>;

const known = new Map<string, Promise<boolean>>();

/** @param folder absolute; it need not be there yet */
export function foldsCase(folder: string): Promise<boolean> {
  const asked = known.get(folder) ?? isFolding(folder, lookAt);
  known.set(folder, asked);
  return asked;
}

/** Asks for the folder, or the nearest one above it that has letters in its name and is there, by a name in other letters. */
export async function isFolding(folder: string, look: Look): Promise<boolean> {
  for (let path = folder; dirname(path) !== path; path = dirname(path)) {
    const other = join(dirname(path), swapped(basename(path)));
    const found = other === path ? undefined : await look(path);
    if (!found) continue;
    const same = await look(other);
    return same !== undefined && same.ino === found.ino && same.dev === found.dev;
  }
  return false;
}

function swapped(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()));
}

async function lookAt(path: string): ReturnType<Look> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

interface PathOwner {
  readonly uid: string;
  readonly fqn: string;
}

/** By the signal of the run: each run has one of its own. */
const runs = new WeakMap<AbortSignal, Map<string, PathOwner>>();

/**
 * Every declared resource of a run claims its place, for types with `verify` are looked at even where nothing changed.
 *
 * @throws EngineError `FILE_EXISTS` naming the resource that has it
 */
export function registerPath(context: HandlerBase, resolved: ResolvedPath): void {
  const { uid, fqn, isDeclared } = context;
  if (!isDeclared) return;
  const registry = registryOf(context);
  const key = keyOfPath(resolved);
  const other = registry.get(key);
  // A replacement has another uid and takes the place of its predecessor.
  if (other && other.fqn !== fqn) {
    throw new EngineError(
      "FILE_EXISTS",
      `"${resolved.path}" is the place of "${other.fqn}" already. Give one of them another path.`,
    );
  }
  registry.set(key, { uid, fqn });
}

/** The resource that has taken a place over from this one: under another id, or as its replacement. */
export function heirOf(context: HandlerBase, resolved: ResolvedPath): string | undefined {
  const other = registryOf(context).get(keyOfPath(resolved));
  return other && other.uid !== context.uid ? other.fqn : undefined;
}

/** Which resource of a run has which place: two of them on one place would undo each other's work. */
export function releasePath(context: HandlerBase, resolved: ResolvedPath): void {
  const registry = registryOf(context);
  const key = keyOfPath(resolved);
  if (registry.get(key)?.uid === context.uid) registry.delete(key);
}

function registryOf({ scope }: HandlerBase): Map<string, PathOwner> {
  const known = runs.get(scope.signal);
  if (known) return known;
  const registry = new Map<string, PathOwner>();
  runs.set(scope.signal, registry);
  return registry;
}
