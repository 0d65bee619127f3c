/** Of a recorded value as much as can be shown, before anything is made of it. Pure. */
import { type EncodedMembers, escapeKey, isList, isTagged, membersOf } from "../../codec/index.js";
import type { Encoded } from "../../contract/index.js";

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
    return weight < size ? one : "… too large to be shown";
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
