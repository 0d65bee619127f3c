/** Where a value that is encoded or decoded stands in the state. */

import type { Encoded, Scope, ValueContext, ValueSlot } from "../contract/index.js";
import { escapeKey, isList, membersOf, tagOf } from "./keys.js";
import { leafDecoders } from "./leaves.js";
import { type Path, pointerOf } from "./path.js";

export interface ValueLocation {
  readonly scope: Scope | undefined;
  readonly fqn: string;
  readonly owner: string;
  readonly slot: ValueSlot;
  /** Name of the entry, in the slot `data`, which alone holds many. */
  readonly key?: string;
  /** Gives what is recorded there now; called only where that is needed. */
  readonly before?: (() => readonly (Encoded | undefined)[]) | undefined;
  /** The recorded encoding that the value probably equals: where it does, this very object is the result, and no copy of it. */
  readonly likely?: Encoded | undefined;
}

/** For a codec that is used by itself. */
export const NOWHERE: ValueLocation = { scope: undefined, fqn: "", owner: "", slot: "data" };

export function contextAt({ scope, fqn, owner, slot, key }: ValueLocation, path: Path): ValueContext {
  return { scope, fqn, owner, slot, path: pointerOf(key === undefined ? path : [key, ...path]) };
}

/** What stands at a path in each of the encoded values that are recorded at a place. */
export function beforeAt(location: ValueLocation, path: Path): readonly Encoded[] {
  return (location.before?.() ?? []).flatMap((tree) => layersAt(tree, path));
}

function layersAt(tree: Encoded | undefined, path: Path): readonly Encoded[] {
  let at = tree;
  for (const key of path) {
    const container = layersOf(at).at(-1);
    at = container === undefined ? undefined : childOf(container, key);
  }
  return layersOf(at);
}

/** A value and, where it is a tag, its body, which stands at the same place; and where that is a tag, so on. */
function layersOf(encoded: Encoded | undefined): readonly Encoded[] {
  if (encoded === undefined) return [];
  const tag = tagOf(encoded);
  return tag === undefined ? [encoded] : [encoded, ...layersOf(membersOf(encoded)?.[tag])];
}

function childOf(container: Encoded, key: string | number): Encoded | undefined {
  if (isList(container)) return typeof key === "number" ? container[key] : undefined;
  const name = escapeKey(String(key));
  const members = membersOf(container);
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether anything in an encoded value was encoded by a plugin, which may have bound it to its place. */
export function hasForeign(encoded: Encoded): boolean {
  if (typeof encoded !== "object" || encoded === null) return false;
  if (isList(encoded)) return encoded.some(hasForeign);
  const tag = tagOf(encoded);
  if (tag !== undefined && !ownTags.has(tag)) return true;
  return Object.values(encoded).some(hasForeign);
}

const ownTags: ReadonlySet<string> = new Set([...leafDecoders.keys(), "$map", "$set", "$error"]);
