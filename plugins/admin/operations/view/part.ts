/** What a resource has recorded at one place of its values, from there on where what was shown of it has ended. Pure. */
import { EngineError, type Redact, stepsOf } from "../../../../core/base/index.js";
import { type EncodedMembers, escapeKey, isList, isTagged, membersOf } from "../../../../core/codec/index.js";
import type { Encoded, ResourceRecord } from "../../../../core/contract/index.js";
import { renderWhole } from "../../../internal/render/render-value.js";
import { decodedMasked } from "../detail.js";
import { knownKey, type Naming, notRecorded } from "../recorded-name.js";

/** Where to go on. */
export interface PartOptions extends ValueLimits {
  /** JSON Pointer that begins with `/props`, `/output`, `/lastGoodProps` or `/data/key`. */
  readonly path: string;
  /** Number of the first member, element or character. */
  readonly from: number;
}

/** A part of a value. */
export interface ValuePart {
  /** All members, elements or characters that there are. */
  readonly total: number;
  readonly from: number;
  /** An object, a list or a text, with those from the first on. */
  readonly value: unknown;
  /** Number of the first that is not among them. */
  readonly to: number;
}

/** @throws EngineError `NOT_RECORDED` where nothing is recorded there, or nothing that has parts */
export function partOf(
  naming: Naming,
  name: string,
  { path, from, ...limits }: PartOptions,
  redact: Redact,
): ValuePart {
  const key = knownKey(naming, name);
  const record = key === undefined ? undefined : naming.contents.at(key);
  if (!record) throw notRecorded(naming, name);
  const [slot = "", ...steps] = stepsOf(path);
  const values = slotOf(naming, record, slot);
  const found = values === undefined ? undefined : encodedAt(values, steps);
  const shown = (value: Encoded): unknown => renderWhole(decodedMasked(value), redact);
  if (typeof found === "string") {
    const text = String(shown(found));
    const to = Math.min(text.length, from + limits.size);
    return { total: text.length, from, to, value: text.slice(from, to) };
  }
  const members = found === undefined ? undefined : plainMembers(found);
  if (found !== undefined && isList(found)) {
    const some = found.slice(from, from + limits.members);
    return { total: found.length, from, to: from + some.length, value: shown(cutOf(some, limits)) };
  }
  if (members) {
    const names = Object.keys(members);
    const some = names.slice(from, from + limits.members);
    const part = Object.fromEntries(some.map((one) => [one, members[one] ?? null]));
    return { total: names.length, from, to: from + some.length, value: shown(cutOf(part, limits)) };
  }
  throw new EngineError("NOT_RECORDED", `"${name}" has no recorded object, list or text at "${path}".`);
}

function slotOf({ contents }: Naming, record: ResourceRecord, slot: string): Encoded | undefined {
  if (slot === "props") return record.props;
  if (slot === "output") return record.output;
  if (slot === "lastGoodProps") return record.lastGood?.props;
  return slot === "data" ? Object.fromEntries(contents.data.get(record.uid) ?? []) : undefined;
}

/** How much of a value is shown. */
export interface ValueLimits {
  /** Members of one object, and elements of one list. */
  readonly members: number;
  /** Characters of texts and names together, about. */
  readonly size: number;
  readonly depth: number;
}

/** What a member counts for, besides its name. */
const MEMBER = 8;

/** Characters of one text that count: it is shown in part. */
const TEXT = 5_000;

/**
 * The value with what is beyond the limits left out. A text says how much that is: `… 9500 more` is the last element of such a list, and
 * `9500 more` the member `…` of such an object. Texts stay whole: half a secret would not be known for one.
 */
export function cutOf(encoded: Encoded, { members, size, depth }: ValueLimits): Encoded {
  let left = size;
  const cut = (one: Encoded, level: number): Encoded => {
    if (typeof one === "string") left -= Math.min(one.length, TEXT);
    if (typeof one !== "object" || one === null) return one;
    if (level >= depth || left <= 0) return "…";
    if (isList(one)) return cutList(one, level);
    const plain = plainMembers(one);
    return plain ? cutMembers(plain, level) : opaque(one);
  };
  const cutList = (list: readonly Encoded[], level: number): Encoded => {
    const shown: Encoded[] = [];
    while (shown.length < Math.min(members, list.length) && left > 0) {
      left -= MEMBER;
      shown.push(cut(list[shown.length] ?? null, level + 1));
    }
    return shown.length < list.length ? [...shown, `… ${list.length - shown.length} more`] : shown;
  };
  const cutMembers = (all: EncodedMembers, level: number): Encoded => {
    const names = Object.keys(all);
    const shown: [string, Encoded][] = [];
    for (const name of names) {
      if (shown.length >= members || left <= 0) break;
      left -= MEMBER + name.length;
      shown.push([name, cut(all[name] ?? null, level + 1)]);
    }
    if (shown.length < names.length) shown.push(["…", `${names.length - shown.length} more`]);
    return Object.fromEntries(shown);
  };
  /** A map, a set, bytes or a secret is shown whole, or not at all. */
  const opaque = (one: Encoded): Encoded => {
    const weight = weightOf(one, size);
    left -= weight;
    return weight < size ? one : "… too large to show";
  };
  return cut(encoded, 0);
}

/** What stands at a place; undefined where nothing does. @param steps names of members as the program has them, and numbers of elements */
export function encodedAt(encoded: Encoded, steps: readonly string[]): Encoded | undefined {
  return steps.reduce<Encoded | undefined>((at, step) => {
    if (at === undefined) return undefined;
    if (isList(at)) return /^\d+$/.test(step) ? at[Number(step)] : undefined;
    const members = plainMembers(at);
    const name = escapeKey(step);
    return members && Object.hasOwn(members, name) ? members[name] : undefined;
  }, encoded);
}

/** Of an object; undefined for what stands for a value of another kind, and for all that is no object. */
export function plainMembers(encoded: Encoded): EncodedMembers | undefined {
  return isTagged(encoded) ? undefined : membersOf(encoded);
}

/** @param most it is not looked further beyond that */
function weightOf(encoded: Encoded, most: number): number {
  let weight = 0;
  const open: Encoded[] = [encoded];
  for (let one = open.pop(); one !== undefined && weight < most; one = open.pop()) {
    weight += MEMBER + (typeof one === "string" ? one.length : 0);
    if (isList(one)) for (const element of one.slice(0, most)) open.push(element);
    else for (const member of Object.values(membersOf(one) ?? {})) open.push(member);
  }
  return weight;
}
