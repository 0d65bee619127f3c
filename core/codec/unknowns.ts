/** Unknown values inside encoded values and props. */
import { hasMarker, knownMembers, stepsOf, unknownName, unknownValue } from "../base/index.js";
import type { Encoded } from "../contract/index.js";
import { isPlainObject } from "./builtin.js";
import type { CodecHooks } from "./codec.js";
import { escapeKey, isList, membersOf } from "./keys.js";
import { maxDepth } from "./path.js";

/** Tag of an unknown value in the codec of a plan. */
export const UNKNOWN_TAG = "$unknown";

/** Returns true if an encoded value contains an unknown value, or a text made from one. */
export function holdsUnknown(encoded: Encoded | undefined): boolean {
  if (typeof encoded === "string") return hasMarker(encoded);
  if (typeof encoded !== "object" || encoded === null) return false;
  if (isList(encoded)) return encoded.some(holdsUnknown);
  return Object.entries(encoded).some(([key, member]) => {
    if (key === UNKNOWN_TAG || hasMarker(key)) return true;
    return key === "$bytes" ? hasMarker(textIn(member)) : holdsUnknown(member);
  });
}

/** Returns encoded bytes as a text in which a marker can be found. */
export function textIn(body: Encoded): string {
  const base64 = isList(body) ? body[1] : undefined;
  return typeof base64 === "string" ? Buffer.from(base64, "base64").toString("latin1") : "";
}

/** Returns the same for the value at a JSON Pointer, with the program's keys. */
export function holdsUnknownAt(encoded: Encoded, pointer: string): boolean {
  let at: Encoded | undefined = encoded;
  for (const step of stepsOf(pointer)) {
    if (at === undefined) return false;
    at = isList(at) ? at[Number(step)] : membersOf(at)?.[escapeKey(step)];
  }
  return holdsUnknown(at);
}

/** Replaces unknown values in props by markers, for a schema that does not support them. */
export function withMarkers(props: unknown): { readonly value: unknown; readonly hasUnknown: boolean } {
  let hasUnknown = false;
  const way = new Set<object>();
  const mark = (value: unknown): unknown => {
    if (typeof value === "string" && hasMarker(value)) hasUnknown = true;
    if (unknownName(value) !== undefined) {
      hasUnknown = true;
      return String(value);
    }
    if (typeof value !== "object" || value === null) return value;
    // A cycle, or a value that is too deep, is refused with its place when it is encoded.
    if (way.has(value) || way.size > maxDepth) return value;
    way.add(value);
    const marked = Array.isArray(value)
      ? value.map(mark)
      : isPlainObject(value)
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mark(member)]))
        : value;
    way.delete(value);
    return marked;
  };
  return { value: mark(props), hasUnknown };
}

/** Extends a codec for plans: it encodes unknown values and their known members. */
export function withUnknowns({ encodeValue, decodeValue }: CodecHooks): CodecHooks {
  return {
    encodeValue(context) {
      const name = unknownName(context.value);
      if (name === undefined) return encodeValue?.(context);
      return { [UNKNOWN_TAG]: [name, context.encode(knownMembers(context.value))] };
    },
    decodeValue(context) {
      if (context.tag !== UNKNOWN_TAG) return decodeValue?.(context);
      const [name, known] = isList(context.body) ? context.body : [];
      const members = context.decode(known ?? {});
      return { value: unknownValue(String(name), { ...Object(members) }) };
    },
  };
}
