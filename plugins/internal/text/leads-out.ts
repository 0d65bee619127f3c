import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";
import { hasCode } from "../../../core/base/index.js";

/**
 * Returns true if a symbolic link would lead a write to a path in a folder outside of that folder. Returns false for a
 * path that is outside anyway: the program named it.
 */
export function leadsOut(folder: string, path: string): boolean {
  if (!isInside(resolve(folder), resolve(path))) return false;
  // A missing file would be created in the nearest existing folder.
  for (let at = resolve(path); ; at = dirname(at)) {
    if (isMissing(at)) continue;
    // A folder that does not exist yet holds no link.
    return isInside(resolve(folder), at) && !isInside(realpathSync(folder), realOf(at));
  }
}

/** Returns true also if a file stands in the place of a folder above it. Returns false for a dangling link. */
export function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    if (hasCode(error, "ENOTDIR")) return true;
    throw error;
  }
}

/** Returns the root for a dangling link. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return "/";
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !/^\.\.[\\/]/.test(way) && !isAbsolute(way);
}
