/**
 * Files of replaced resources that wait for their deletion. A resource that comes to stand on such a path takes the
 * file over: it is the engine's already.
 */
import type { HandlerBase } from "../../core/contract/index.js";
import type { Place } from "./paths.js";

export function leave({ scope }: HandlerBase, path: string): Promise<void> {
  return scope.root.set(keyOf(path), true);
}

export async function isLeft({ scope }: HandlerBase, { path }: Place): Promise<boolean> {
  return (await scope.root.get(keyOf(path))) === true;
}

/** The resource that left it is about to be gone. */
export function settle({ scope }: HandlerBase, { path }: Place): Promise<void> {
  return scope.root.delete(keyOf(path));
}

function keyOf(path: string): string {
  return `fs:left:${path}`;
}
