import { EngineError, ignore } from "../base/index.js";
import type { Encoded } from "../contract/index.js";
import { type DecodeValue, decodeTree } from "./decode.js";
import { type EncodeValue, encodeTree } from "./encode.js";
import { comparableError } from "./error.js";
import { type EncodedMembers, isList, memberOf, membersOf, tagOf } from "./keys.js";
import { NOWHERE, type ValueLocation } from "./value-location.js";

/** Turns the values of programs into JSON with tags, and back into fresh values. */
export interface Codec {
  /**
   * Copies `value` as JSON with tags. An own enumerable accessor counts as the value that it gives; members that are
   * not enumerable, and members of arrays, Dates, Maps and the like besides their content, are not kept.
   *
   * @throws EngineError `UNSERIALIZABLE`, with the path, on what could not be given back: functions, instances of
   * classes that no plugin encodes, unregistered symbols, symbol keys, cycles, more than 500 levels.
   */
  encode(value: unknown): Encoded;
  /** As above, where plugins are told for which place. A promise where one of them needs time. */
  encode(value: unknown, location: ValueLocation): Encoded | Promise<Encoded>;
  /**
   * Gives the value back, sharing nothing with `encoded`; a promise of it where a plugin needs time.
   *
   * @throws EngineError `STATE_CORRUPT`, with tag and path, on a tag that neither the codec nor a plugin knows, and on
   * a body that its tag cannot have.
   */
  decode(encoded: Encoded, location?: ValueLocation): unknown;
}

/** The hooks that teach a codec further types; the same place is given for encoding a value and for decoding it. */
export interface CodecHooks {
  /** Asked about objects, functions and symbols that the codec does not know; answers e.g. `{ $money: "1 EUR" }`. */
  readonly encodeValue?: EncodeValue;
  /** Asked about tags that the codec does not know. */
  readonly decodeValue?: DecodeValue;
}

export function createCodec({ encodeValue, decodeValue }: CodecHooks = {}): Codec {
  function encode(value: unknown): Encoded;
  function encode(value: unknown, location: ValueLocation): Encoded | Promise<Encoded>;
  function encode(value: unknown, location?: ValueLocation): Encoded | Promise<Encoded> {
    const encoded = encodeTree(value, encodeValue, location ?? NOWHERE);
    if (location !== undefined || !(encoded instanceof Promise)) return encoded;
    encoded.catch(ignore);
    throw new EngineError("PLUGIN_FAILED", "A plugin needs time to encode a value where there is none.");
  }
  return { encode, decode: (encoded, location) => decodeTree(encoded, decodeValue, location ?? NOWHERE) };
}

/**
 * JSON text that is the same for equal values: sorted keys, no undefined members, entries of Maps and Sets in the
 * order of their texts, errors without their stacks.
 */
export function canonical(encoded: Encoded): string {
  if (isList(encoded)) return `[${encoded.map(canonical).join(",")}]`;
  const members = membersOf(encoded);
  if (members === undefined) return JSON.stringify(encoded);
  const tag = tagOf(members);
  return tag === undefined ? canonicalMembers(members) : canonicalTag(tag, members[tag] ?? null);
}

function canonicalTag(tag: string, body: Encoded): string {
  const errorBody = tag === "$error" ? membersOf(body) : undefined;
  if (errorBody !== undefined) return `{"${tag}":${canonicalMembers(comparableError(errorBody))}}`;
  if ((tag === "$set" || tag === "$map") && isList(body)) return `{"${tag}":[${body.map(canonical).sort().join(",")}]}`;
  return `{${JSON.stringify(tag)}:${canonical(body)}}`;
}

function canonicalMembers(members: EncodedMembers): string {
  let text = "";
  for (const key of Object.keys(members).sort()) {
    const member = memberOf(members, key);
    if (member !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${text}}`;
}
