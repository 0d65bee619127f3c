/** What differs between one resource in a state and the same in another, as people may see it. Pure. */
import { changedPaths } from "../../apply/index.js";
import type { Redact } from "../../base/index.js";
import { pointerOf } from "../../codec/index.js";
import type { Encoded, PropertyChange, ResourceRecord } from "../../contract/index.js";
import { changesBetween, membersAs } from "../../render/index.js";
import type { Contents } from "../../state/index.js";
import { decodedMasked } from "../detail.js";

/** What a state holds of a resource. */
export interface RecordAt {
  readonly record: ResourceRecord;
  readonly data: ReadonlyMap<string, Encoded> | undefined;
}

/** Of the present copy; undefined where there is none. */
export function recordAt(contents: Contents, key: string): RecordAt | undefined {
  const record = contents.at(key);
  return record && { record, data: contents.data.get(record.uid) };
}

/** Members that are recorded as they are. */
const PLAIN = ["kind", "status", "physicalName", "protect", "retain", "error"] as const;

/**
 * Paths begin with the member of the record: `/props/size`, `/output/id`, `/data/key`, `/protect`. A secret that has changed is among
 * them, as what it is shown as on both sides.
 */
export function recordChanges(
  from: RecordAt | undefined,
  to: RecordAt | undefined,
  redact: Redact,
): readonly PropertyChange[] {
  const between = (
    slot: string,
    before: Encoded | undefined,
    after: Encoded | undefined,
  ): readonly PropertyChange[] => {
    const start = pointerOf([slot]);
    return slotChanges(before, after, redact).map((change) => ({ ...change, path: `${start}${change.path}` }));
  };
  const names = new Set([...(from?.data?.keys() ?? []), ...(to?.data?.keys() ?? [])]);
  return [
    ...between("props", from?.record.props, to?.record.props),
    ...between("output", from?.record.output, to?.record.output),
    ...[...names].sort().flatMap((name) => {
      const changes = slotChanges(from?.data?.get(name), to?.data?.get(name), redact);
      const start = pointerOf(["data", redact(name)]);
      return changes.map((change) => ({ ...change, path: `${start}${change.path}` }));
    }),
    ...PLAIN.flatMap((name) => between(name, from?.record[name], to?.record[name])),
  ];
}

function slotChanges(
  before: Encoded | undefined,
  after: Encoded | undefined,
  redact: Redact,
): readonly PropertyChange[] {
  const showing = { redact, options: { full: false } };
  if (before === undefined && after === undefined) return [];
  if (before === undefined) return membersAs("new", decodedMasked(after ?? null), showing);
  if (after === undefined) return membersAs("old", decodedMasked(before), showing);
  const paths = changedPaths(before, after);
  return paths.length === 0 ? [] : changesBetween(paths, decodedMasked(before), decodedMasked(after), showing);
}
