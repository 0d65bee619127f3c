/** Which resource of a run has which place: two of them on one place would undo each other's work. */
import { EngineError } from "../../core/base/index.js";
import type { HandlerBase } from "../../core/contract/index.js";
import { keyOfPath, type ResolvedPath } from "./paths.js";

interface PathOwner {
  readonly uid: string;
  readonly fqn: string;
}

/** By the signal of the run: every generation of declarations has one of its own. */
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
