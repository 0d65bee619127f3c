/**
 * Files of replaced resources that wait for their deletion. A resource that comes to stand on such a path takes the
 * file over: it is the engine's already.
 */
import type { HandlerBase } from "../../core/contract/index.js";
import { notedPath, type ResolvedPath } from "./paths.js";

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
