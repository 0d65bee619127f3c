/** Children, and children's children; what a resource needs. Pure. */
import type { ResourceRecord } from "../state/record.js";

export interface Parentage {
  childrenOf(uid: string): readonly ResourceRecord[];
}

/** uids of what has to be there as long as a resource is: what it is a part of, and what it refers to. */
export function needsOf({ parent, refs }: Pick<ResourceRecord, "parent" | "refs">): readonly string[] {
  return parent === undefined ? (refs ?? NOTHING) : [parent, ...(refs ?? NOTHING)];
}

const NOTHING: readonly string[] = Object.freeze([]);

/** The records below the resources named by `uids`, old copies included, without these themselves. */
export function familyOf(parentage: Parentage, uids: Iterable<string>): ResourceRecord[] {
  const family: ResourceRecord[] = [];
  const seen = new Set<string>();
  const add = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const child of parentage.childrenOf(uid)) {
      if (!seen.has(child.uid)) family.push(child);
      add(child.uid);
    }
  };
  for (const uid of uids) add(uid);
  return family;
}
