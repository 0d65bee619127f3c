/**
 * Files of replaced resources that wait for their deletion. A resource that comes to stand on such a path takes the
 * file over: it is the engine's already.
 */
import type { HandlerBase } from "../../core/contract/index.js";
import { notedPath, type ResolvedPath } from "./paths.js";

export function leave({ scope }: HandlerBase, place: ResolvedPath): Promise<void> {
  return scope.root.set(keyOf(notedPath(place)), true);
}

export async function isLeft({ scope }: HandlerBase, place: ResolvedPath): Promise<boolean> {
  for (const key of keysOf(place)) if ((await scope.root.get(key)) === true) return true;
  return false;
}

/** The resource that left it is about to be gone. */
export async function settle({ scope }: HandlerBase, place: ResolvedPath): Promise<void> {
  for (const key of keysOf(place)) await scope.root.delete(key);
}

/** Also the one that a machine has noted on which capital letters count. */
function keysOf(place: ResolvedPath): ReadonlySet<string> {
  return new Set([notedPath(place), place.path].map(keyOf));
}

function keyOf(path: string): string {
  return `fs:left:${path}`;
}
