/** Resolves paths of the program: below the root folder of their scope, unless the program allows others. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, normalize, posix, relative, resolve, sep } from "node:path";
import { EngineError, isAbsence, isEngineError, type PlatformName } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";

/** A place that a resource may use. */
export interface ResolvedPath {
  /** Absolute path without symbolic links, except its last part. */
  readonly absolute: string;
  /**
   * Path for outputs and messages, the same on every machine: relative to the root folder, with `/`. Absolute only for
   * an absolute path outside of it.
   */
  readonly path: string;
  /** True if its disk ignores case: other spellings mean the same place. */
  readonly foldsCase: boolean;
}

export interface PathOptions {
  /** Allow a place outside the root folder. Default: false. */
  readonly outside?: boolean;
  /** Follow a symbolic link to its target. Default: false, the link itself is the place. */
  readonly follow?: boolean;
}

/**
 * Finds the place of a path, relative to the scope's `rootDir`. Parents that are symbolic links are followed, because
 * the real place has to be inside. Within a run, places are found in the order of the calls, however long the disk
 * takes: of two resources with the same place, always the same one comes first.
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

/** A promise for each run, by its signal. It settles when all earlier calls have settled. */
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
    `"${path}" ${how} "${absolute}", outside the root folder "${root}". Pass { outside: true } to allow it.`,
  );
}

/** Returns a key that is the same for all spellings of a place. */
export function keyOfPath({ absolute, foldsCase: folds }: ResolvedPath): string {
  return spelling(absolute, folds);
}

/** Returns the path of a place for notes. */
export function notedPath({ path, foldsCase: folds }: ResolvedPath): string {
  return spelling(path, folds);
}

function spelling(path: string, folds: boolean): string {
  return folds ? path.toLowerCase() : path;
}

/** Like {@link locate}, but undefined if the place is refused. */
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
 * Returns the `path` that a place will have, if it is known without reading the disk. This is so for a relative path
 * inside the root folder, and, from the record, for a path that does not change.
 */
export function knownPath(path: string, recorded?: string): { readonly path?: string } {
  const name = spelled(path);
  if (!isAbsolute(path) && !isAbove(name)) return { path: name };
  if (recorded === undefined || isElsewhere(path, recorded)) return {};
  return name === recorded || isInside(normalize(recorded)) ? { path: recorded } : {};
}

/**
 * True if a path of the program names another place than the `path` of an output. {@link movedFrom} is exact.
 *
 * It does not read the disk, so it knows neither the root folder nor links: an absolute and a relative path with the
 * same end count as one place.
 */
export function isElsewhere(path: string, recorded: string): boolean {
  const name = spelled(path);
  if (isAbsolute(path) === isAbsolute(recorded)) return name !== recorded;
  const [absolute, other] = isAbsolute(path) ? [name, recorded] : [recorded, name];
  const end = other.replace(/^(\.\.(\/|$))+/, "");
  return end !== "" && end !== "." && !absolute.endsWith(`/${end}`);
}

/** Returns the place of the `path` of an output; undefined if it is only another name of the same place. */
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

/** Returns the folder of a place; undefined at the root folder, and at the top. */
export function parentOf({ absolute, path, ...place }: ResolvedPath): ResolvedPath | undefined {
  const folder = dirname(path);
  if (folder === "." || folder === path || basename(folder) === "..") return undefined;
  return { ...place, absolute: dirname(absolute), path: folder };
}

/** @throws EngineError `INVALID_PROPS` */
export function checkPath(path: unknown, platform: PlatformName = process.platform): asserts path is string {
  if (typeof path !== "string" || path === "" || path.includes("\0")) {
    const given = JSON.stringify(path) ?? typeof path;
    throw new EngineError("INVALID_PROPS", `A path must be a non-empty string without NUL characters, not ${given}.`);
  }
  const problem = platform === "win32" ? windowsProblem(path) : undefined;
  if (problem !== undefined) {
    throw new EngineError("INVALID_PROPS", `"${path}" is not valid on Windows: ${problem}. Choose another path.`);
  }
}

function isInside(fromRoot: string): boolean {
  return fromRoot !== ".." && !fromRoot.startsWith(`..${sep}`) && !isAbsolute(fromRoot);
}

function portable(path: string): string {
  return path === "" ? "." : path.split(sep).join("/");
}

/** Returns the path without symbolic links, as far as it exists. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (!isAbsence(error) || parent === path) throw error;
    return join(await realPath(parent), basename(path));
  }
}

/** Describes a delete outside of the root folder for a plan; undefined if the path is inside. */
export function removedOutside({ outside }: PathOptions, { path }: Pick<ResolvedPath, "path">): string | undefined {
  return outside === true && !isInside(normalize(path)) ? `removes ${path}, outside of the root folder` : undefined;
}

// Names of files that Windows refuses, or silently changes.

const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$) *(\.|$)/i;

/** Describes the problem with a path, as the end of a sentence; undefined if Windows supports it unchanged. */
function windowsProblem(path: string): string | undefined {
  const names = path
    .replaceAll("\\", posix.sep)
    .replace(/^\/\/\?\//, "")
    .replace(/^[A-Za-z]:/, "")
    .split(posix.sep);
  for (const name of names.filter((one) => one !== "." && one !== "..")) {
    if (DEVICE.test(name)) return `"${name}" is the name of a device`;
    const [character] = /[<>:"|?*\p{Cc}]/u.exec(name) ?? [];
    if (character !== undefined) return `names must not contain ${JSON.stringify(character)}`;
    if (/[. ]$/.test(name)) return `Windows removes the last character of "${name}"`;
  }
  return undefined;
}

/** Returns the identity of a file; undefined if there is none. */
export type Look = (path: string) => Promise<{ readonly ino: bigint; readonly dev: bigint } | undefined>;

const known = new Map<string, Promise<boolean>>();

/** @param folder absolute path, which may not exist yet */
export function foldsCase(folder: string): Promise<boolean> {
  const asked = known.get(folder) ?? isFolding(folder, lookAt);
  known.set(folder, asked);
  return asked;
}

/** Tests the disk: looks up the nearest existing folder with letters in its name by its name in the opposite case. */
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

/** Owners of places for each run, by its signal. Two resources at one place would undo each other's work. */
const runs = new WeakMap<AbortSignal, Map<string, PathOwner>>();

/**
 * Claims a place for a declared resource. Every declared resource does this, because types with `verify` are read even
 * if nothing changed.
 *
 * @throws EngineError `FILE_EXISTS` naming the resource that owns the place
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
      `"${resolved.path}" already belongs to "${other.fqn}". Give one of them another path.`,
    );
  }
  registry.set(key, { uid, fqn });
}

/** Returns the resource that took a place over from this one, under another id or as its replacement. */
export function newOwnerOf(context: HandlerBase, resolved: ResolvedPath): string | undefined {
  const other = registryOf(context).get(keyOfPath(resolved));
  return other && other.uid !== context.uid ? other.fqn : undefined;
}

/** Releases the place of a resource. */
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
