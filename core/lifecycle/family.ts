/** Children, and children's children. Pure. */
import type { ResourceRecord } from "../state/record.js";

export interface Parentage {
  childrenOf(uid: string): readonly ResourceRecord[];
}

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
