import { EngineError, ignore, isLater, type Later } from "../base/index.js";
import type { DecodeContext, Decoded, Encoded } from "../contract/index.js";
import { plainCopy } from "./builtin.js";
import { type EncodeValue, encodeTree } from "./encode.js";
import { type EncodedMembers, isList, isTagKey, memberOf, membersOf, setMember, tagOf, unescapeKey } from "./keys.js";
import { comparableError, errorFrom, isErrorParts, leafDecoders } from "./leaves.js";
import { type Frame, frameIn, maxDepth, type Path, pathOf, readablePath } from "./path.js";
import { contextAt, NOWHERE, type ValueLocation } from "./refusal.js";

/** Encodes the values of programs as JSON with tags, and decodes fresh values from it. */
export interface Codec {
  /**
   * Copies `value` as JSON with tags. An own enumerable accessor is replaced by its value. Members that are not
   * enumerable are not kept, nor are additional members of arrays, Dates, Maps and the like.
   *
   * @throws EngineError `UNSERIALIZABLE`, with the path, on what could not be given back: functions, instances of
   * classes that no plugin encodes, unregistered symbols, symbol keys, cycles, more than 500 levels.
   */
  encode(value: unknown): Encoded;
  /**
   * Encodes as above, and gives plugins the place of the value. Returns a promise if one of them answers
   * asynchronously.
   */
  encode(value: unknown, location: ValueLocation): Encoded | Promise<Encoded>;
  /**
   * Decodes a value that shares nothing with `encoded`. Returns a promise if a plugin answers asynchronously.
   *
   * @throws EngineError `STATE_CORRUPT`, with tag and path, on a tag that neither the codec nor a plugin knows, and on
   * an invalid body of a tag
   */
  decode(encoded: Encoded, location?: ValueLocation): unknown;
}

/** Hooks that add types to the codec. A value is encoded and decoded with the same place. */
export interface CodecHooks {
  /** Called for objects, functions and symbols that the codec does not know; answers e.g. `{ $money: "1 EUR" }`. */
  readonly encodeValue?: EncodeValue;
  /** Called for tags that the codec does not know. */
  readonly decodeValue?: DecodeValue;
}

export function createCodec({ encodeValue, decodeValue }: CodecHooks = {}): Codec {
  function encode(value: unknown): Encoded;
  function encode(value: unknown, location: ValueLocation): Encoded | Promise<Encoded>;
  function encode(value: unknown, location?: ValueLocation): Encoded | Promise<Encoded> {
    const encoded = encodeTree(value, encodeValue, location ?? NOWHERE);
    if (location !== undefined || !(encoded instanceof Promise)) return encoded;
    encoded.catch(ignore);
    throw new EngineError(
      "PLUGIN_FAILED",
      "A plugin returned a promise from encodeValue, but this value must be encoded synchronously. Return the encoded value itself.",
    );
  }
  return { encode, decode: (encoded, location) => decodeTree(encoded, decodeValue, location ?? NOWHERE) };
}

/**
 * Returns JSON text that is the same for equal values: sorted keys, no undefined members, entries of Maps and Sets in
 * the order of their texts, errors without their stacks.
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

/** Decodes a tag. */
type DecodeValue = (context: DecodeContext) => Decoded | Later<Decoded> | undefined;

interface Walk {
  /**
   * Place of the current value, with the keys it had when it was encoded, because plugins may have bound it to its
   * path.
   */
  at: Frame | undefined;
  readonly decodeValue: DecodeValue | undefined;
  readonly location: ValueLocation;
  /** Asynchronous answers by tag and pointer: a value inside a tag may have the same path as the tag. */
  late: Map<string, Decoded> | undefined;
  waits: Promise<void>[] | undefined;
  /** True in the second pass, which waits for no further answers. */
  isLast: boolean;
}

/** Returns the value, or a promise of it if a plugin answers asynchronously. */
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
  // The caller awaits it, unless something else has failed before.
  later.catch(() => {});
  return later;
}

/** Containers are built from their contents, so everything is decoded once more when all answers are there. */
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
  const answer = pluginAnswer(tag, body, walk);
  if (answer !== undefined) return answer.value;
  throw corrupt(walk, `has the unknown tag "${tag}"`, "Install the plugin that wrote it, or update scope-engine.");
}

const PENDING_ANSWER: Decoded = { value: undefined };

function pluginAnswer(tag: string, body: Encoded, walk: Walk): Decoded | undefined {
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
    // It got a value that is not there yet, and is called again.
    if (walk.waits?.length !== waiting) return PENDING_ANSWER;
    throw error;
  }
  if (!isLater(answer)) return answer;
  if (walk.isLast || walk.waits?.length !== waiting) throw tooLate(walk);
  walk.late ??= new Map();
  walk.waits ??= [];
  const { late } = walk;
  const wait = answer.answer.then((decoded) => void late.set(name, decoded));
  wait.catch(() => {}); // Awaited only if nothing else fails first.
  walk.waits.push(wait);
  return PENDING_ANSWER;
}

/** Decodes at its place, although the walk may be elsewhere by now. */
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
  const message = `Two plugins decode ${readablePath(pathOf(at))} asynchronously, one inside the other. Only one of them may answer asynchronously.`;
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
  return corrupt(walk, `has the tag "${tag}" with an invalid body`, undefined, cause);
}

function corrupt(
  walk: Walk,
  what: string,
  advice = 'Restore the state from its history: "engine state history" lists the copies, "engine state restore SEQ" restores one.',
  cause?: unknown,
): EngineError {
  return new EngineError("STATE_CORRUPT", `Recorded value at ${readablePath(pathOf(walk.at))} ${what}. ${advice}`, {
    cause,
  });
}
