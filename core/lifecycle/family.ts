/** Children, and children's children. Pure. */
import type { ResourceRecord } from "../state/record.js";

/** The records below the resources named by `uids`, old copies included, without these themselves. */
export function familyOf(records: Iterable<ResourceRecord>, uids: Iterable<string>): ResourceRecord[] {
  const children = new Map<string, ResourceRecord[]>();
  for (const record of records) {
    if (record.parent === undefined) continue;
    const siblings = children.get(record.parent);
    if (siblings) siblings.push(record);
    else children.set(record.parent, [record]);
  }
  if (children.size === 0) return [];
  const family: ResourceRecord[] = [];
  const seen = new Set<string>();
  const add = (uid: string): void => {
    if (seen.has(uid)) return;
    seen.add(uid);
    for (const child of children.get(uid) ?? []) {
      family.push(child);
      add(child.uid);
    }
  };
  for (const uid of uids) add(uid);
  return family;
}
