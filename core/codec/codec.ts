import { EngineError, ignore, isLater, type Later } from "../base/index.js";
import type { DecodeContext, Decoded, Encoded } from "../contract/index.js";
import { plainCopy } from "./builtin.js";
import { type EncodeValue, encodeTree } from "./encode.js";
import { type EncodedMembers, isList, isTagKey, memberOf, membersOf, setMember, tagOf, unescapeKey } from "./keys.js";
import { comparableError, errorFrom, isErrorParts, leafDecoders } from "./leaves.js";
import { type Frame, frameIn, maxDepth, type Path, pathOf, readablePath } from "./path.js";
import { contextAt, NOWHERE, type ValueLocation } from "./refusal.js";

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

/** JSON with tags to fresh values. */
type DecodeValue = (context: DecodeContext) => Decoded | Later<Decoded> | undefined;

interface Walk {
  /** With the same keys as when the value was encoded: what a plugin has bound to the path is found there. */
  at: Frame | undefined;
  readonly decodeValue: DecodeValue | undefined;
  readonly location: ValueLocation;
  /** Answers that took time, by tag and pointer: what is inside of a tag may stand at the very same place. */
  late: Map<string, Decoded> | undefined;
  waits: Promise<void>[] | undefined;
  /** From now on nobody waits for answers. */
  isLast: boolean;
}

/** The value, or a promise of it where a plugin needs time. */
function decodeTree(encoded: Encoded, decodeValue: DecodeValue | undefined, location: ValueLocation): unknown {
  const plain = plainCopy(encoded);
  if (plain !== undefined) return plain;
  const walk: Walk = {
    at: undefined,
    decodeValue,
    location,
    late: undefined,
    waits: undefined,
    isLast: false,
  };
  const value = decodeNode(encoded, walk);
  if (walk.waits === undefined) return value;
  const later = decodedLater(encoded, walk, walk.waits);
  // Whoever asked awaits it, unless something else has failed before.
  later.catch(() => {});
  return later;
}

/** Containers are made of what is in them: so all is decoded once more when all is there. */
async function decodedLater(encoded: Encoded, walk: Walk, waits: readonly Promise<void>[]): Promise<unknown> {
  walk.isLast = true;
  await Promise.all(waits);
  walk.at = undefined;
  return decodeNode(encoded, walk);
}

function decodeNode(encoded: Encoded, walk: Walk): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  return isList(encoded) ? decodeList(encoded, walk) : decodeMembers(encoded, walk);
}

function decodeMembers(encoded: EncodedMembers, walk: Walk): unknown {
  const keys = Object.keys(encoded);
  const first = keys[0];
  if (keys.length === 1 && first !== undefined && isTagKey(first))
    return decodeTag(first, encoded[first] ?? null, walk);
  const value: Record<string, unknown> = {};
  const frame = enter(encoded, walk);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const userKey = unescapeKey(key);
    frame.key = userKey;
    if (isTagKey(key)) throw corrupt(walk, `has the tag "${key}" beside other members`);
    setMember(value, userKey, decodeNode(encoded[key] ?? null, walk));
  }
  walk.at = frame.outer;
  return value;
}

function decodeList(encoded: readonly Encoded[], walk: Walk): readonly unknown[] {
  const values: unknown[] = [];
  const frame = enter(encoded, walk);
  for (let index = 0; index < encoded.length; index++) {
    frame.key = index;
    values.push(decodeNode(encoded[index] ?? null, walk));
  }
  walk.at = frame.outer;
  return values;
}

function decodeTag(tag: string, body: Encoded, walk: Walk): unknown {
  const decodeLeaf = leafDecoders.get(tag);
  if (decodeLeaf !== undefined) {
    try {
      return decodeLeaf(body);
    } catch (cause) {
      throw malformed(walk, tag, cause);
    }
  }
  if (tag === "$map" || tag === "$set") {
    if (!isList(body)) throw malformed(walk, tag);
    const values = decodeList(body, walk);
    if (tag === "$set") return new Set(values);
    if (values.every(isPair)) return new Map(values);
    throw malformed(walk, tag);
  }
  if (tag === "$error") {
    const parts = decodeNode(body, walk);
    if (isErrorParts(parts)) return errorFrom(parts);
    throw malformed(walk, tag);
  }
  const answer = asked(tag, body, walk);
  if (answer !== undefined) return answer.value;
  throw corrupt(walk, `has the unknown tag "${tag}"`, "Install the plugin, or the newer version, that wrote it.");
}

const ON_ITS_WAY: Decoded = { value: undefined };

function asked(tag: string, body: Encoded, walk: Walk): Decoded | undefined {
  if (walk.decodeValue === undefined) return undefined;
  const path = pathOf(walk.at);
  const context = contextAt(walk.location, path);
  const name = `${tag} ${context.path}`;
  if (walk.late?.has(name)) return walk.late.get(name);
  const waiting = walk.waits?.length;
  let answer: Decoded | Later<Decoded> | undefined;
  try {
    answer = walk.decodeValue({ ...context, tag, body, decode: (inner) => decodeInner(inner, walk, path) });
  } catch (error) {
    // It was given what is not there yet, and is asked again.
    if (walk.waits?.length !== waiting) return ON_ITS_WAY;
    throw error;
  }
  if (!isLater(answer)) return answer;
  if (walk.isLast || walk.waits?.length !== waiting) throw tooLate(walk);
  walk.late ??= new Map();
  walk.waits ??= [];
  const { late } = walk;
  const wait = answer.answer.then((decoded) => void late.set(name, decoded));
  wait.catch(() => {}); // Awaited only where nothing else fails first.
  walk.waits.push(wait);
  return ON_ITS_WAY;
}

/** At its place, although the walk may be elsewhere by now. */
function decodeInner(encoded: Encoded, walk: Walk, path: Path): unknown {
  let at: Frame | undefined;
  for (const key of path) {
    at = frameIn(at, path);
    at.key = key;
  }
  const inner = { ...walk, at };
  const value = decodeNode(encoded, inner);
  walk.late = inner.late;
  walk.waits = inner.waits;
  return value;
}

function tooLate({ at }: Walk): EngineError {
  const message = `A plugin needs time for ${readablePath(pathOf(at))}, inside of what another one needs time for.`;
  return new EngineError("PLUGIN_FAILED", message);
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

function enter(container: object, walk: Walk): Frame {
  const frame = frameIn(walk.at, container);
  if (frame.depth > maxDepth) throw corrupt(walk, `is more than ${maxDepth} levels deep`);
  walk.at = frame;
  return frame;
}

function malformed(walk: Walk, tag: string, cause?: unknown): EngineError {
  return corrupt(walk, `has a body that the tag "${tag}" cannot have`, undefined, cause);
}

function corrupt(
  walk: Walk,
  what: string,
  advice = "Restore the state from its history.",
  cause?: unknown,
): EngineError {
  return new EngineError("STATE_CORRUPT", `Recorded value at ${readablePath(pathOf(walk.at))} ${what}. ${advice}`, {
    cause,
  });
}
