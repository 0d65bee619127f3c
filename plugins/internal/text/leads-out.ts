import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve } from "node:path";

/**
 * Whether what is written to a path in a folder would arrive outside of that folder, because of a symbolic link. False for a path that is
 * outside anyway: somebody has said so.
 */
export function leadsOut(folder: string, path: string): boolean {
  if (!isInside(resolve(folder), resolve(path))) return false;
  // What does not exist yet is made where the folder around it is.
  for (let at = resolve(path); ; at = dirname(at)) {
    if (lstatSync(at, { throwIfNoEntry: false })) return !isInside(realpathSync(folder), realOf(at));
  }
}

/** Of a link that leads to nothing, nothing. */
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
