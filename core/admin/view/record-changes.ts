/** What differs between one resource in a state and the same in another, as people may see it. Pure. */
import { changedPaths } from "../../apply/index.js";
import { type Redact, stepsOf } from "../../base/index.js";
import { pointerOf } from "../../codec/index.js";
import type { Encoded, PropertyChange, ResourceRecord } from "../../contract/index.js";
import { changesBetween, membersAs, safePath } from "../../render/index.js";
import type { Contents } from "../../state/index.js";
import { decodedMasked } from "../detail.js";
import { cutOf, encodedAt } from "./cut.js";

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

/** Of what has changed in a large value, so much is told. */
const MOST = { members: 1_000, size: 1_000_000, depth: 64 };

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
  if (before === undefined) return membersAs("new", decodedMasked(cutOf(after ?? null, MOST)), showing);
  if (after === undefined) return membersAs("old", decodedMasked(cutOf(before, MOST)), showing);
  return changedPaths(before, after)
    .slice(0, MOST.members)
    .flatMap((path) => {
      const [one, other] = [before, after].map((side) => {
        const found = encodedAt(side, stepsOf(path));
        return found === undefined ? undefined : decodedMasked(cutOf(found, MOST));
      });
      const changes = changesBetween([""], one, other, showing);
      return changes.map((change) => ({ ...change, path: safePath(path, redact) }));
    });
}
