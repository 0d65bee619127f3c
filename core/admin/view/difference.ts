/** What differs between two states of a stage, resource by resource. Pure. */
import { isDeepStrictEqual } from "node:util";
import type { Redact } from "../../base/index.js";
import type { PropertyChange } from "../../contract/index.js";
import { type Contents, same } from "../../state/index.js";
import { compare } from "../listed.js";
import { fqnOf, type Naming } from "../recorded-name.js";
import type { SealStatus } from "../verify/index.js";
import { type RecordAt, recordAt, recordChanges } from "./record-changes.js";

/** A resource that is not recorded alike in two states. */
export interface ResourceDifference {
  readonly fqn: string;
  readonly kind: string;
  /** From the first to the second; `replaced`: it is another thing of the same name. */
  readonly what: "made" | "changed" | "gone" | "replaced";
  /** A value is shown as in a plan; a secret is named only. Of props, output and each value of data, the first 1,000. */
  readonly changes: readonly PropertyChange[];
}

/** What differs between two states. */
export interface StageDifference {
  readonly from: number;
  readonly to: number;
  /** Of the two that of which less is known. */
  readonly seal: SealStatus;
  /** By name. */
  readonly resources: readonly ResourceDifference[];
  /** How many more differ. */
  readonly left: number;
}

/** How much of a difference is told. */
export interface DifferenceOptions {
  /** So many resources at most. Default: all. */
  readonly most?: number;
}

/** Old copies that wait for their deletion do not count. */
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
    // Only whether there is something to see of the others.
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
