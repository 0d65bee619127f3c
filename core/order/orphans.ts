/** Recorded minus declared. Pure. */
import type { ResourceRecord } from "../contract/index.js";

/**
 * The living records that the program no longer declares. Children of a resource that is declared are orphans only
 * where its handler ran without declaring them: of others nothing was said.
 */
export function findOrphans(
  records: ReadonlyMap<string, ResourceRecord>,
  isDeclared: (key: string) => boolean,
): ResourceRecord[] {
  const verdicts = new Map<string, boolean>();
  const isOrphan = (record: ResourceRecord): boolean => {
    if (isDeclared(record.key)) return false;
    const parent = record.parent === undefined ? undefined : records.get(record.parent);
    return !parent || record.dropped === true || isOrphanParent(parent);
  };
  const isOrphanParent = (parent: ResourceRecord): boolean => {
    const verdict = verdicts.get(parent.uid) ?? isOrphan(parent);
    verdicts.set(parent.uid, verdict);
    return verdict;
  };
  const orphans: ResourceRecord[] = [];
  for (const record of records.values()) if (!record.replaced && isOrphan(record)) orphans.push(record);
  return orphans;
}
