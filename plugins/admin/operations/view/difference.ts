/** Compares two states of a stage, resource by resource. Pure. */
import { isDeepStrictEqual } from "node:util";
import { changedPaths } from "../../../../core/apply/index.js";
import { type Redact, stepsOf } from "../../../../core/base/index.js";
import { pointerOf, safePath } from "../../../../core/codec/index.js";
import type { Encoded, PropertyChange, ResourceRecord } from "../../../../core/contract/index.js";
import { type Contents, same } from "../../../../core/state/index.js";
import { changesBetween, membersAs } from "../../../internal/render/changes.js";
import { compare } from "../../../internal/text/name-order.js";
import { decodedMasked } from "../detail.js";
import { fqnOf, type Naming } from "../recorded-name.js";
import type { SealStatus } from "../verify/prove-copy.js";
import { cutOf, encodedAt } from "./part.js";

/** A resource whose records differ between two states. */
export interface ResourceDifference {
  readonly fqn: string;
  readonly kind: string;
  /** Change from the first to the second state; `replaced`: another resource of the same name. */
  readonly what: "made" | "changed" | "gone" | "replaced";
  /**
   * Values are shown as in a plan, secrets by name only. At most 1,000 changes each for props, output and each value of
   * data.
   */
  readonly changes: readonly PropertyChange[];
}

/** The differences between two states. */
export interface StageDifference {
  readonly from: number;
  readonly to: number;
  /** The weaker seal status of the two states. */
  readonly seal: SealStatus;
  /** Sorted by name. */
  readonly resources: readonly ResourceDifference[];
  /** Number of further resources that differ. */
  readonly left: number;
}

/** Options of {@link StageAdmin.difference}. */
export interface DifferenceOptions {
  /** Maximum number of resources. Default: all. */
  readonly most?: number;
}

/** Compares live resources only; old copies that are not deleted yet do not count. */
export function differenceBetween(
  at: Omit<Naming, "contents">,
  [from, to]: readonly [Contents, Contents],
  { redact, most = Number.POSITIVE_INFINITY }: DifferenceOptions & { readonly redact: Redact },
): Pick<StageDifference, "resources" | "left"> {
  const keys = new Set<string>();
  for (const { records } of [from, to]) for (const { key } of records.values()) keys.add(key);
  const differing = [...keys].filter((key) => !isSame(recordAt(from, key), recordAt(to, key)));
  const resources: ResourceDifference[] = [];
  let left = 0;
  for (const key of differing.sort(compare)) {
    // Beyond `most`, only the number of resources with visible changes counts.
    const [before, after] = [recordAt(from, key), recordAt(to, key)];
    const changes = recordChanges(before, after, redact);
    if (changes.length === 0) continue;
    if (resources.length >= most) left++;
    else {
      const kind = (after ?? before)?.record.kind ?? "";
      resources.push({ fqn: fqnOf(at, key), kind, what: whatOf(before, after), changes });
    }
  }
  return { resources, left };
}

function isSame(one: RecordAt | undefined, other: RecordAt | undefined): boolean {
  if (!one || !other) return one === other;
  return same(one.record, other.record) && isDeepStrictEqual(one.data, other.data);
}

function whatOf(before: RecordAt | undefined, after: RecordAt | undefined): ResourceDifference["what"] {
  if (!before) return "made";
  if (!after) return "gone";
  return before.record.uid === after.record.uid ? "changed" : "replaced";
}

/** The record and data of a resource in one state. */
export interface RecordAt {
  readonly record: ResourceRecord;
  readonly data: ReadonlyMap<string, Encoded> | undefined;
}

/** Returns those of the live resource; undefined if there is none. */
export function recordAt(contents: Contents, key: string): RecordAt | undefined {
  const record = contents.at(key);
  return record && { record, data: contents.data.get(record.uid) };
}

/** Limits of the changes that are shown for a large value. */
const MOST = { members: 1_000, size: 1_000_000, depth: 64 };

/** Members of a record that are compared as they are. */
const PLAIN = ["kind", "status", "physicalName", "protect", "retain", "error"] as const;

/**
 * Paths begin with the member of the record: `/props/size`, `/output/id`, `/data/key`, `/protect`. A changed secret is
 * included, with its name on both sides.
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
