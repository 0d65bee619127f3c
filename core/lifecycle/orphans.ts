/** Recorded minus declared. Pure. */
import type { ResourceRecord } from "../state/record.js";

export interface Declared {
  isDeclared(key: string): boolean;
  /** True when the handler of the resource ran to its end, so that it has declared all the children it wants. */
  wasHandled(uid: string): boolean;
}

/**
 * The living records that the program no longer declares. Children of a resource whose handler did not run are not
 * orphans: nothing was said about them.
 */
export function findOrphans(records: ReadonlyMap<string, ResourceRecord>, declared: Declared): ResourceRecord[] {
  const verdicts = new Map<string, boolean>();
  const isOrphan = (record: ResourceRecord): boolean => {
    const known = verdicts.get(record.uid);
    if (known !== undefined) return known;
    const parent = record.parent === undefined ? undefined : records.get(record.parent);
    const undeclared = !declared.isDeclared(record.key);
    const verdict = undeclared && (!parent || isOrphan(parent) || declared.wasHandled(parent.uid));
    verdicts.set(record.uid, verdict);
    return verdict;
  };
  return [...records.values()].filter((record) => !record.replaced && isOrphan(record));
}
