/** Returns further parts of a large recorded value, and cuts values to limits. Pure. */
import { EngineError, type Redact, stepsOf } from "../../../../core/base/index.js";
import { type EncodedMembers, escapeKey, isList, isTagged, membersOf } from "../../../../core/codec/index.js";
import type { Encoded, ResourceRecord } from "../../../../core/contract/index.js";
import { renderWhole } from "../../../internal/render/render-value.js";
import { decodedMasked } from "../detail.js";
import { knownKey, type Naming, notRecorded } from "../recorded-name.js";

/** The value to continue, and the first part to return. */
export interface PartOptions extends ValueLimits {
  /** JSON Pointer that begins with `/props`, `/output`, `/lastGoodProps` or `/data/key`. */
  readonly path: string;
  /** Number of the first member, element or character. */
  readonly from: number;
}

/** A part of a value. */
export interface ValuePart {
  /** Total number of members, elements or characters. */
  readonly total: number;
  readonly from: number;
  /** An object, a list or a text with the parts from `from` on. */
  readonly value: unknown;
  /** Number of the first part after these. */
  readonly to: number;
}

/** @throws EngineError `NOT_RECORDED` if nothing is recorded there, or a value without parts */
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

/** Limits for the displayed part of a value. */
export interface ValueLimits {
  /** Maximum number of members of one object, and of elements of one list. */
  readonly members: number;
  /** Approximate maximum number of characters in texts and names together. */
  readonly size: number;
  readonly depth: number;
}

/** Size of a member in addition to its name. */
const MEMBER = 8;

/** Maximum size that one text counts with: only a part of it is shown. */
const TEXT = 5_000;

/**
 * Returns the value without the parts beyond the limits. A text gives their number: `… 9500 more` is the last element
 * of a cut list, and `9500 more` the member `…` of a cut object. Texts stay whole: half a secret would not be
 * recognized and masked.
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
  /** Shows a map, a set, bytes or a secret as a whole or not at all. */
  const opaque = (one: Encoded): Encoded => {
    const weight = weightOf(one, size);
    left -= weight;
    return weight < size ? one : "… too large to show";
  };
  return cut(encoded, 0);
}

/**
 * Returns the value at a place, if there is one. @param steps names of members as in the program, and numbers of
 * elements
 */
export function encodedAt(encoded: Encoded, steps: readonly string[]): Encoded | undefined {
  return steps.reduce<Encoded | undefined>((at, step) => {
    if (at === undefined) return undefined;
    if (isList(at)) return /^\d+$/.test(step) ? at[Number(step)] : undefined;
    const members = plainMembers(at);
    const name = escapeKey(step);
    return members && Object.hasOwn(members, name) ? members[name] : undefined;
  }, encoded);
}

/** Returns the members of a plain object; undefined for other values and for encodings of other kinds. */
export function plainMembers(encoded: Encoded): EncodedMembers | undefined {
  return isTagged(encoded) ? undefined : membersOf(encoded);
}

/** @param most counting stops at this weight */
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
