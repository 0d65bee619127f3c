/** Children, and children's children; what a resource needs. Pure. */
import type { ResourceRecord } from "../contract/index.js";

export interface Parentage {
  childrenOf(uid: string): readonly ResourceRecord[];
}

/** uids of what has to be there as long as a resource is: what it is a part of, and what it refers to. */
export function needsOf({ parent, refs }: Pick<ResourceRecord, "parent" | "refs">): readonly string[] {
  return parent === undefined ? (refs ?? NOTHING) : [parent, ...(refs ?? NOTHING)];
}

const NOTHING: readonly string[] = Object.freeze([]);

/** The records below the resources named by `uids`, old copies included, without these themselves. */
export function descendantsOf(parentage: Parentage, uids: Iterable<string>): ResourceRecord[] {
  const descendants: ResourceRecord[] = [];
  const seen = new Set<string>();
  const add = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const child of parentage.childrenOf(uid)) {
      if (!seen.has(child.uid)) descendants.push(child);
      add(child.uid);
    }
  };
  for (const uid of uids) add(uid);
  return descendants;
}

/** True for a child of one of the resources, and for the children of that. */
export function isBelow(
  records: ReadonlyMap<string, ResourceRecord>,
  { parent }: ResourceRecord,
  uids: ReadonlySet<string>,
): boolean {
  for (let at = parent; at !== undefined; at = records.get(at)?.parent) if (uids.has(at)) return true;
  return false;
}

/**
 * What is not whole any more once a resource goes: what it is a part of, up to what has let go of its part by itself, or is
 * an old copy, which nothing brings back.
 */
export function wholesOf(records: ReadonlyMap<string, ResourceRecord>, part: ResourceRecord): ResourceRecord[] {
  const wholes: ResourceRecord[] = [];
  for (let at = part; at.parent !== undefined && !at.dropped && !at.replaced; ) {
    const parent = records.get(at.parent);
    if (!parent || parent.replaced) break;
    wholes.push(parent);
    at = parent;
  }
  return wholes;
}
