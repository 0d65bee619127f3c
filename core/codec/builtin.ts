/**
 * Distinguishes plain data and instances of built-in classes from instances of other classes. Uses shape and internal
 * slots instead of `instanceof`, because test runners execute programs in separate realms.
 */
import { types } from "node:util";
import type { Encoded } from "../contract/index.js";
import { type EncodedMembers, isList, mayBeTag, membersOf, tagOf } from "./keys.js";
import { maxDepth } from "./path.js";

/** Returns the number of prototypes of a value: 1 for a plain object, 2 for a Map, one more for each subclass. */
export function prototypeCount(value: object): number {
  let count = 0;
  for (let at: unknown = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) count++;
  return count;
}

export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return prototypeCount(value) === 1 && Object.hasOwn(Object(prototype), "isPrototypeOf");
}

export function isPlainArray(value: object): value is readonly unknown[] {
  return Array.isArray(value) && (Object.getPrototypeOf(value) === Array.prototype || prototypeCount(value) === 2);
}

export function isError(value: object): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** Returns the name of an object's class, or of a function. */
export function nameOf(value: object): string | undefined {
  const named: unknown = typeof value === "function" ? value : value.constructor;
  return typeof named === "function" && named.name !== "" ? named.name : undefined;
}

/** Returns the first member of an array that is not an element, such as the `index` of a match. */
export function memberBeside(list: readonly unknown[]): string | undefined {
  const keys = Object.keys(list);
  const last = keys.at(-1);
  // Object.keys lists elements first.
  return last === undefined || isElement(last, list) ? undefined : keys.find((key) => !isElement(key, list));
}

function isElement(key: string, { length }: readonly unknown[]): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key;
}

/** Returns a copy of an encoded value, or undefined if a part of it has to be decoded. */
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
  // Copies all members at once, then nested ones: several times as fast as member by member.
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
 * Returns true if a value would be encoded exactly as this, with its keys in the same order. False does not prove a
 * difference: it also covers cases that need more than a quick check.
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
    // A key that begins with `$` is encoded as another key.
    if (key !== name || mayBeTag(name) || !isEncodedAs(value[name], members[name])) return false;
  }
  return index === keys.length;
}
