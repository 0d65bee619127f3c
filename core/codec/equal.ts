import type { Encoded } from "../contract/index.js";
import { canonical } from "./codec.js";
import { type EncodedMembers, isList, memberOf, membersOf, tagOf } from "./keys.js";
import { comparableError } from "./leaves.js";

/**
 * Decides whether two encoded values, at least one of them tagged, are the same; undefined: no decision. It has to be
 * an equivalence, such as "the same when decrypted".
 */
export type Same = (a: Encoded, b: Encoded) => boolean | undefined;

/**
 * Returns true if two encoded values are equal, that is, if their canonical texts are, unless `same` decides otherwise.
 * Allocates nothing for plain data.
 */
export function sameEncoded(a: Encoded, b: Encoded, same?: Same): boolean {
  if (a === b) return true;
  if (typeof a !== "object" && typeof b !== "object") return false;
  const tag = tagOf(a);
  const otherTag = tagOf(b);
  if (tag !== undefined || otherTag !== undefined) {
    const opinion = same?.(a, b);
    if (opinion !== undefined) return opinion;
    return tag !== undefined && tag === otherTag && sameBody(tag, bodyOf(a, tag), bodyOf(b, tag), same);
  }
  if (isList(a)) return isList(b) && sameList(a, b, same);
  const members = membersOf(a);
  const others = membersOf(b);
  return members !== undefined && others !== undefined && sameMembers(members, others, same);
}

function sameBody(tag: string, a: Encoded, b: Encoded, same: Same | undefined): boolean {
  if ((tag === "$set" || tag === "$map") && isList(a) && isList(b)) return sameInAnyOrder(a, b, same);
  const members = tag === "$error" ? membersOf(a) : undefined;
  const others = tag === "$error" ? membersOf(b) : undefined;
  if (members === undefined || others === undefined) return sameEncoded(a, b, same);
  return sameMembers(comparableError(members), comparableError(others), same);
}

function sameList(a: readonly Encoded[], b: readonly Encoded[], same: Same | undefined): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (!sameEncoded(a[index] ?? null, b[index] ?? null, same)) return false;
  }
  return true;
}

function sameMembers(a: EncodedMembers, b: EncodedMembers, same: Same | undefined): boolean {
  for (const key in a) {
    const member = memberOf(a, key);
    const other = memberOf(b, key);
    if (member === undefined || other === undefined) {
      if (member !== other) return false;
    } else if (!sameEncoded(member, other, same)) return false;
  }
  for (const key in b) {
    if (memberOf(a, key) === undefined && memberOf(b, key) !== undefined) return false;
  }
  return true;
}

/** Pairs elements with the same text first. `same` pairs the rest, e.g. secrets that were encrypted twice. */
function sameInAnyOrder(a: readonly Encoded[], b: readonly Encoded[], same: Same | undefined): boolean {
  if (a.length !== b.length) return false;
  const unpaired = new Map<string, Encoded[]>();
  for (const element of b) {
    const text = canonical(element);
    const alike = unpaired.get(text);
    if (alike === undefined) unpaired.set(text, [element]);
    else alike.push(element);
  }
  const left = a.filter((element) => unpaired.get(canonical(element))?.pop() === undefined);
  if (left.length === 0 || same === undefined) return left.length === 0;
  const right = [...unpaired.values()].flat();
  return left.every((element) => {
    const index = right.findIndex((other) => sameEncoded(element, other, same));
    if (index >= 0) right.splice(index, 1);
    return index >= 0;
  });
}

function bodyOf(encoded: Encoded, tag: string): Encoded {
  return membersOf(encoded)?.[tag] ?? null;
}
