/** Recorded minus declared. Pure. */
import type { ResourceRecord } from "../state/record.js";

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
    const known = verdicts.get(record.uid);
    if (known !== undefined) return known;
    const parent = record.parent === undefined ? undefined : records.get(record.parent);
    const verdict = !isDeclared(record.key) && (!parent || record.dropped === true || isOrphan(parent));
    verdicts.set(record.uid, verdict);
    return verdict;
  };
  return [...records.values()].filter((record) => !record.replaced && isOrphan(record));
}
