/** Finds when each resource last changed, as far as the kept copies of the state show. */
import { isDeepStrictEqual } from "node:util";
import type { ResourceRecord } from "../../../../core/contract/index.js";
import { type Contents, type LedgerLocation, type Loaded, same } from "../../../../core/state/index.js";
import { type EndedRun, endedRun } from "../history.js";
import { fqnOf, type Naming } from "../recorded-name.js";
import { type RecordAt, recordAt } from "./difference.js";
import { copiesOf } from "./values.js";

/** The last change of each resource. */
export interface LastChanges {
  /** The kept copies, oldest first, then the present state. A copy without a run is the work of an open session. */
  readonly copies: readonly { readonly seq: number; readonly run: EndedRun | undefined }[];
  /**
   * Maps the FQN of a recorded resource to the index of the first copy with its present values. A resource that is
   * absent did not change since the oldest copy.
   */
  readonly last: ReadonlyMap<string, number>;
}

/** Leaves out copies that cannot be read, belong to another state or are forged. */
export async function lastChangesOf(location: LedgerLocation, present: Loaded): Promise<LastChanges> {
  const copies: LastChanges["copies"][number][] = [];
  const last = new Map<string, number>();
  const naming: Omit<Naming, "contents"> = location;
  let before: Contents | undefined;
  for await (const { seq, contents, closed } of copiesOf(location, present)) {
    const index = copies.push({ seq, run: closed && endedRun(closed) }) - 1;
    // The run of the oldest copy is known to have made its resources only if it created all of them.
    const isFirst = before === undefined && (closed?.summary.created ?? 0) < contents.records.size;
    for (const { key } of isFirst ? [] : contents.records.values()) {
      if (!isSame(before && recordAt(before, key), recordAt(contents, key))) last.set(key, index);
    }
    before = contents;
  }
  const recorded = [...last].filter(([key]) => present.contents.at(key));
  return { copies, last: new Map(recorded.map(([key, index]) => [fqnOf(naming, key), index])) };
}

/** Members whose changes are visible; others, such as positions, change with every run. */
const VISIBLE = ["uid", "kind", "status", "props", "output", "physicalName", "protect", "retain", "error"] as const;

function isSame(one: RecordAt | undefined, other: RecordAt | undefined): boolean {
  if (!one || !other) return one === other;
  const isUnchanged = (name: keyof ResourceRecord): boolean => same(one.record[name], other.record[name]);
  return VISIBLE.every(isUnchanged) && isDeepStrictEqual(one.data, other.data);
}
