/** Plain data, as most props and outputs are: without tags it needs no path and no plugin, so neither is made ready. */
import type { Encoded } from "../contract/index.js";
import { isPlainArray, isPlainObject, memberBeside } from "./builtin.js";
import { type EncodedMembers, isList, mayBeTag, membersOf, tagOf } from "./keys.js";
import { maxDepth } from "./path.js";

/** A fresh copy of an encoded value; undefined where something in it has to be decoded. */
export function plainCopy(encoded: Encoded, depth = 1): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (depth > maxDepth) return undefined;
  return isList(encoded) ? copiedList(encoded, depth) : copiedMembers(encoded, depth);
}

function copiedList(list: readonly Encoded[], depth: number): readonly unknown[] | undefined {
  const copy: unknown[] = list.slice();
  for (let index = 0; index < list.length; index++) {
    const element = list[index];
    if (typeof element !== "object" || element === null) continue;
    const inner = plainCopy(element, depth + 1);
    if (inner === undefined) return undefined;
    copy[index] = inner;
  }
  return copy;
}

function copiedMembers(members: EncodedMembers, depth: number): object | undefined {
  // All at once, then what lies deeper: several times as fast as member by member.
  const copy: Record<string, unknown> = { ...members };
  for (const key in copy) {
    if (mayBeTag(key)) return undefined;
    const member = members[key];
    if (typeof member !== "object" || member === null || !Object.hasOwn(members, key)) continue;
    const inner = plainCopy(member, depth + 1);
    if (inner === undefined) return undefined;
    copy[key] = inner;
  }
  return copy;
}

/**
 * Whether a value would be encoded as just this, its keys in this order. False where that takes more than a look: it
 * is no promise that they differ.
 */
export function isEncodedAs(value: unknown, encoded: Encoded | undefined): boolean {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value === encoded;
    case "number":
      return value === encoded && (value !== 0 || !Object.is(value, -0));
    case "undefined":
      return encoded !== undefined && tagOf(encoded) === "$undefined";
    case "object":
      if (value === null || typeof encoded !== "object" || encoded === null) return value === encoded;
      if (isPlainArray(value)) return isList(encoded) && isListAs(value, encoded);
      return isPlainObject(value) && isObjectAs(value, membersOf(encoded));
    default:
      return false;
  }
}

function isListAs(list: readonly unknown[], encoded: readonly Encoded[]): boolean {
  if (list.length !== encoded.length) return false;
  for (let index = 0; index < list.length; index++) if (!isEncodedAs(list[index], encoded[index])) return false;
  return memberBeside(list) === undefined && Object.getOwnPropertySymbols(list).length === 0;
}

function isObjectAs(value: Readonly<Record<string, unknown>>, members: EncodedMembers | undefined): boolean {
  if (members === undefined || Object.getOwnPropertySymbols(value).length > 0) return false;
  const keys = Object.keys(value);
  let index = 0;
  for (const name in members) {
    const key = keys[index++];
    // A key that begins with a `$` is written with another one.
    if (key !== name || mayBeTag(name) || !isEncodedAs(value[name], members[name])) return false;
  }
  return index === keys.length;
}
