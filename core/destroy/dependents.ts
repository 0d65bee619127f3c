/**
 * Finds the dependents in the way of a replacement that deletes first: those recorded, and not decided on in this run.
 */

import { holdsUnknown, isList, isTagged, membersOf, tagOf, UNKNOWN_TAG } from "../codec/index.js";
import { type Encoded, fqnIn, type ResourceRecord } from "../contract/index.js";
import { descendantsOf, sourcesAmong } from "../order/index.js";
import type { App } from "../run/index.js";
import type { Contents } from "../state/index.js";

/** Maximum number of names. */
const MOST = 5;

/**
 * Returns the dependents of a record and of its children, direct or not, each with the dependents of its own children.
 *
 * @param isGoing a dependent for which it is false stays and is not followed; its parent may be deleted
 */
export function dependentsOf(
  contents: Contents,
  old: ResourceRecord,
  isGoing: (dependent: ResourceRecord) => boolean,
): readonly ResourceRecord[] {
  const found = new Set<ResourceRecord>();
  const uids = new Set([old, ...descendantsOf(contents, [old.uid])].map(({ uid }) => uid));
  for (const uid of uids) {
    for (const dependent of contents.dependentsOf(uid)) {
      if (uids.has(dependent.uid)) continue;
      const going = wholesWith(contents, dependent).find(isGoing);
      if (!going) continue;
      found.add(going);
      for (const one of [going, ...descendantsOf(contents, [going.uid])]) uids.add(one.uid);
    }
  }
  return [...found];
}

/**
 * Returns, for all dependents, direct or not, including those of dependents that stay, the records to delete: each
 * itself, or an ancestor.
 *
 * @param isMeant false for dependents to skip
 */
export function goingDependents(
  contents: Contents,
  record: ResourceRecord,
  isGoing: (dependent: ResourceRecord) => boolean,
  isMeant: (dependent: ResourceRecord) => boolean = () => true,
): readonly ResourceRecord[] {
  const all = dependentsOf(contents, record, () => true).filter(isMeant);
  return [...new Set(all.flatMap((one) => wholesWith(contents, one).find(isGoing) ?? []))];
}

/** Returns a record and its ancestors. */
function wholesWith(contents: Contents, record: ResourceRecord): readonly ResourceRecord[] {
  const whole = record.parent === undefined ? undefined : contents.records.get(record.parent);
  return whole ? [record, ...wholesWith(contents, whole)] : [record];
}

/** True for an old copy, and for a resource that is not declared yet, or whose props are not all known. */
export function isUndecided({ run }: App, { key, replaced }: ResourceRecord): boolean {
  return replaced === true || run.isUndecided(key);
}

/**
 * Returns a hint for a replacement that deletes first and whose delete failed: its remaining dependents and the ways
 * out. Empty for any other delete, and if there are none.
 */
export function inUseHint(app: App, record: ResourceRecord): string {
  const { contents } = app.ledger;
  const undecided = (one: ResourceRecord): boolean => isUndecided(app, one);
  const certain = dependentsOf(contents, record, undecided);
  const likely = certain.length > 0 ? [] : likelyDependents(contents, record).filter(undecided);
  if (certain.length + likely.length === 0) return "";
  const how = howToCreateFirst(app, record);
  const before = "The resource is deleted before its replacement is created, but";
  if (likely.length > 0) {
    return `${before} ${names(app, likely)} may still use it. If so, create the replacement first: ${how}.`;
  }
  const refers = `${before} ${names(app, certain)} ${certain.length === 1 ? "refers" : "refer"} to it.`;
  if (app.options.planFile !== undefined)
    return `${refers} The saved plan does not delete them first. Create the replacement first: ${how}.`;
  return `${refers} Create the replacement first: ${how}. Or let a plan delete such dependents first: engine plan --out plan.json, then engine up --plan plan.json.`;
}

function howToCreateFirst({ run }: App, { key }: ResourceRecord): string {
  if (run.optionsOf(key)?.deleteBeforeReplace === true) return "set deleteBeforeReplace: false";
  return "set createBeforeDestroy: true for a resource of a provider, or call replace() instead of replace(true) in the update handler of your own type";
}

/** Found only by equal values, so they are only named. */
function likelyDependents({ records }: Contents, record: ResourceRecord): readonly ResourceRecord[] {
  const sourcesOf = sourcesAmong([record]);
  return [...records.values()].filter((one) => sourcesOf(one).length > 0);
}

function names({ root }: App, records: readonly ResourceRecord[]): string {
  const all = [...new Set(records.map(({ key }) => `"${fqnIn(root, key)}"`))];
  const more = all.length - MOST;
  const shown = more > 0 ? [...all.slice(0, MOST), `${more} more`] : all;
  return shown.length === 1 ? String(shown[0]) : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** Shorter texts are equal by chance. */
const SHORTEST = 3;

/** Returns texts and numbers of an output that have other, known values in the later one. */
export function formerValues(before: Encoded | undefined, after: Encoded | undefined): ReadonlySet<string> {
  const found = new Set<string>();
  compare(before, after, found);
  return found;
}

/** True if one of the values is in the props. */
export function holdsOne(props: Encoded, values: ReadonlySet<string>): boolean {
  return values.size > 0 && [...textsIn(props)].some((text) => values.has(text));
}

/** Returns texts and numbers that are not encrypted, at any depth. */
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

/** Returns the known members of an output that a plan knows in part. */
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
