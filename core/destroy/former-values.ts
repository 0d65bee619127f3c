/** Values that an output had and that an update took away: a dependent may be found by one of them. Pure. */

import { holdsUnknown, isList, isTagged, membersOf, tagOf, UNKNOWN_TAG } from "../codec/index.js";
import type { Encoded } from "../contract/index.js";

/** Shorter texts are equal by chance. */
const SHORTEST = 3;

/** Texts and numbers of an output that have other, known values in the later one. */
export function formerValues(before: Encoded | undefined, after: Encoded | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  compare(before, after, found);
  return found;
}

/** True if one of the values stands in the props. */
export function holdsOne(props: Encoded, values: ReadonlySet<string>): boolean {
  return values.size > 0 && [...textsIn(props)].some((text) => values.has(text));
}

/** Texts and numbers that are in the clear, at any depth. */
export function textsIn(value: Encoded | undefined, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === "string" || typeof value === "number") {
    if (String(value).length >= SHORTEST) found.add(String(value));
  } else if (value !== undefined) for (const member of partsOf(value)) textsIn(member, found);
  return found;
}

function compare(before: Encoded | undefined, after: Encoded | undefined, found: Set<string>): void {
  if (before === undefined || after === undefined || before === after) return;
  if (typeof before === "string" || typeof before === "number") {
    if (!holdsUnknown(after)) textsIn(before, found);
    return;
  }
  if (isList(before)) {
    if (isList(after)) for (const [index, element] of before.entries()) compare(element, after[index], found);
    return;
  }
  const [members, others] = [plainMembers(before), plainMembers(knownOf(after))];
  for (const [key, member] of Object.entries(members)) compare(member, others[key], found);
}

/** Of an output that a plan knows in part, the members that it knows. */
function knownOf(value: Encoded): Encoded {
  const body = tagOf(value) === UNKNOWN_TAG ? membersOf(value)?.[UNKNOWN_TAG] : undefined;
  return body !== undefined && isList(body) ? (body[1] ?? {}) : value;
}

function partsOf(value: Encoded): readonly Encoded[] {
  return isList(value) ? value : Object.values(plainMembers(value));
}

function plainMembers(value: Encoded): Readonly<Record<string, Encoded>> {
  return (isTagged(value) ? undefined : membersOf(value)) ?? {};
}
