/** Tags and users' keys: a tag begins with one `$`, so a user's key that begins with `$` gets a second one. */
import type { Encoded } from "../contract/index.js";

export type EncodedMembers = { readonly [key: string]: Encoded };

const dollar = "$".charCodeAt(0);

const underscore = "_".charCodeAt(0);

/** Returns true for a tag, and for a user's key that is escaped or has to be. */
export function mayBeTag(key: string): boolean {
  return key.charCodeAt(0) === dollar;
}

export function isTagKey(key: string): boolean {
  return key.charCodeAt(0) === dollar && key.charCodeAt(1) !== dollar;
}

export function escapeKey(key: string): string {
  return key.charCodeAt(0) === dollar ? `$${key}` : key;
}

export function unescapeKey(key: string): string {
  return key.charCodeAt(0) === dollar ? key.slice(1) : key;
}

/** Sets an own member under any key: a plain assignment to `__proto__` would change the prototype instead. */
export function setMember<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

/** Sets an own member under the escaped key. */
export function setEscaped<T>(target: Record<string, T>, key: string, value: T): void {
  const first = key.charCodeAt(0);
  if (first === dollar || first === underscore) setMember(target, escapeKey(key), value);
  else target[key] = value;
}

export function isList(encoded: Encoded): encoded is readonly Encoded[] {
  return Array.isArray(encoded);
}

/** Returns the members of an encoded object, tagged or plain; undefined for any other value. */
export function membersOf(encoded: Encoded): EncodedMembers | undefined {
  return typeof encoded === "object" && encoded !== null && !isList(encoded) ? encoded : undefined;
}

/** Returns the tag of a tagged value, with its `$`. */
export function tagOf(encoded: Encoded): string | undefined {
  const members = membersOf(encoded);
  if (members === undefined) return undefined;
  let tag: string | undefined;
  // No Object.keys: this runs for every object of every comparison, and most objects are decided at their first key.
  for (const key in members) {
    if (!Object.hasOwn(members, key)) continue;
    if (tag !== undefined || !isTagKey(key)) return undefined;
    tag = key;
  }
  return tag;
}

/** Returns true for a value that JSON has no form for, e.g. `{ "$date": "…" }`. */
export function isTagged(encoded: Encoded): encoded is EncodedMembers {
  return tagOf(encoded) !== undefined;
}

/** Returns undefined for an absent value and for a recorded `undefined`: comparisons treat them as equal. */
export function presentOf(encoded: Encoded | undefined): Encoded | undefined {
  if (typeof encoded !== "object") return encoded;
  return tagOf(encoded) === "$undefined" ? undefined : encoded;
}

/**
 * Returns the member of an encoded object under `key`, even `__proto__` or `toString`; undefined as in {@link
 * presentOf}.
 */
export function memberOf(members: EncodedMembers, key: string): Encoded | undefined {
  const value = members[key];
  // Checking each key with hasOwn takes most of a comparison. Inherited members are functions, which no encoded value
  // is, and `__proto__`.
  if (typeof value === "function" || (key === "__proto__" && !Object.hasOwn(members, key))) return undefined;
  return presentOf(value);
}
