/** Unknown values inside of others. */
import { hasMarker, knownMembers, stepsOf, unknownName, unknownValue } from "../base/index.js";
import type { Encoded } from "../contract/index.js";
import { isPlainObject } from "./builtin.js";
import type { CodecHooks } from "./codec.js";
import { escapeKey, isList, membersOf } from "./keys.js";
import { maxDepth } from "./path.js";

/** As the codec of a plan writes an unknown value. */
export const UNKNOWN_TAG = "$unknown";

/** True where an encoded value holds, or is made of, something that is not known. */
export function holdsUnknown(encoded: Encoded | undefined): boolean {
  if (typeof encoded === "string") return hasMarker(encoded);
  if (typeof encoded !== "object" || encoded === null) return false;
  if (isList(encoded)) return encoded.some(holdsUnknown);
  return Object.entries(encoded).some(([key, member]) => {
    if (key === UNKNOWN_TAG || hasMarker(key)) return true;
    return key === "$bytes" ? hasMarker(textIn(member)) : holdsUnknown(member);
  });
}

/** Encoded bytes as a text in which a marker can be found. */
export function textIn(body: Encoded): string {
  const base64 = isList(body) ? body[1] : undefined;
  return typeof base64 === "string" ? Buffer.from(base64, "base64").toString("latin1") : "";
}

/** As above, for what stands at a JSON Pointer in terms of the program's keys. */
export function holdsUnknownAt(encoded: Encoded, pointer: string): boolean {
  let at: Encoded | undefined = encoded;
  for (const step of stepsOf(pointer)) {
    if (at === undefined) return false;
    at = isList(at) ? at[Number(step)] : membersOf(at)?.[escapeKey(step)];
  }
  return holdsUnknown(at);
}

/** Props with markers instead of the unknown values in them, for a schema that knows nothing of these. */
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
    // What holds itself, or is too deep, is refused by its place once it is encoded.
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

/** The codec of a plan knows values that nobody knows yet, and what is known of them. */
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
