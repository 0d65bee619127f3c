/**
 * Encodes values as JSON with tags. Runs for every resource of every run, so it makes no closures and no path texts.
 */
import { types } from "node:util";
import { EngineError, isEngineError, isLater, type Later } from "../base/index.js";
import type { EncodeContext, Encoded } from "../contract/index.js";
import { isEncodedAs, isError, isPlainArray, isPlainObject, memberBeside, prototypeCount } from "./builtin.js";
import { type EncodedMembers, isTagged, setEscaped } from "./keys.js";
import { encodedUndefined, encodeLeaf, encodeNumber, partsOf } from "./leaves.js";
import { type Frame, frameIn, maxDepth, type Path, pathOf, readablePath } from "./path.js";
import {
  beforeAt,
  contextAt,
  cycle,
  memberOfArray,
  symbolKey,
  tooDeep,
  unknownType,
  unreadable,
  type ValueLocation,
} from "./refusal.js";

export type EncodeValue = (context: EncodeContext) => Encoded | Later<Encoded> | undefined;

interface Walk {
  /**
   * The innermost container of the current value. Meeting an enclosing container again is a cycle; meeting any other
   * object twice is not.
   */
  at: Frame | undefined;
  readonly encodeValue: EncodeValue | undefined;
  readonly location: ValueLocation;
  /** Pending answers. */
  waits: Wait[] | undefined;
}

/** The place of a pending answer in the tree. */
interface Wait {
  readonly kept: Encoded;
  readonly filled: Promise<void>;
}

/** Encodes a value. Returns a promise if a plugin answers asynchronously. */
export function encodeTree(
  value: unknown,
  encodeValue: EncodeValue | undefined,
  location: ValueLocation,
): Encoded | Promise<Encoded> {
  // The value nearly always equals the recorded one: then nothing is created, and nothing needs comparing.
  const { likely } = location;
  if (likely !== undefined && isAs(value, likely)) return likely;
  // One walk per call, not per codec, because a plugin's encodeValue may call encode().
  const walk: Walk = { at: undefined, encodeValue, location, waits: undefined };
  try {
    const encoded = encodeNode(value, walk);
    return walk.waits === undefined ? encoded : Promise.all(walk.waits.map(({ filled }) => filled)).then(() => encoded);
  } catch (error) {
    throw isEngineError(error) ? error : unreadable(pathOf(walk.at), error);
  }
}

function isAs(value: unknown, encoded: Encoded): boolean {
  try {
    return isEncodedAs(value, encoded);
  } catch {
    // A getter of the program threw. The encoding walk meets it again and reports it with its path.
    return false;
  }
}

function encodeNode(value: unknown, walk: Walk): Encoded {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return encodeNumber(value);
    case "object":
      return value === null ? null : encodeObject(value, walk);
    case "undefined":
      return encodedUndefined;
    case "bigint":
      return { $bigint: value.toString() };
    case "symbol": {
      const key = Symbol.keyFor(value);
      return key === undefined ? encodeForeign(value, walk) : { $symbol: key };
    }
    case "function":
      return encodeForeign(value, walk);
  }
}

function encodeObject(value: object, walk: Walk): Encoded {
  if (isPlainArray(value)) return encodeList(value, walk);
  if (isPlainObject(value)) return encodeMembers(value, walk);
  const leaf = encodeLeaf(value);
  if (leaf !== undefined) return leaf;
  if (types.isMap(value) && prototypeCount(value) === 2) return { $map: encodeList([...value], walk, value) };
  if (types.isSet(value) && prototypeCount(value) === 2) return { $set: encodeList([...value], walk, value) };
  if (isError(value)) return { $error: encodeMembers(partsOf(value), walk, value) };
  return encodeForeign(value, walk);
}

/** @param container the source of the members, if they are not its own */
function encodeMembers(value: Readonly<Record<string, unknown>>, walk: Walk, container: object = value): Encoded {
  const frame = frameOf(container, walk);
  refuseSymbols(value, walk);
  walk.at = frame;
  const encoded: Record<string, Encoded> = {};
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    frame.key = key;
    setEscaped(encoded, key, encodeNode(value[key], walk));
  }
  walk.at = frame.outer;
  return encoded;
}

/** @param container the source of the list, if it is not the list itself */
function encodeList(list: readonly unknown[], walk: Walk, container: object = list): Encoded {
  const frame = frameOf(container, walk);
  refuseSymbols(list, walk);
  walk.at = frame;
  const encoded: Encoded[] = [];
  // By index, so that holes are read as undefined.
  for (let index = 0; index < list.length; index++) {
    frame.key = index;
    encoded.push(encodeNode(list[index], walk));
  }
  if (list === container) refuseBeside(list, frame);
  walk.at = frame.outer;
  return encoded;
}

/** Refuses members of an array that are not elements: JSON cannot hold them, so the next run would not see them. */
function refuseBeside(list: readonly unknown[], frame: Frame): void {
  const key = memberBeside(list);
  if (key === undefined) return;
  frame.key = key;
  throw memberOfArray(pathOf(frame));
}

function encodeForeign(value: object | symbol, walk: Walk): Encoded {
  const path = pathOf(walk.at);
  const { location } = walk;
  const waiting = walk.waits?.length ?? 0;
  const answer = walk.encodeValue?.({
    ...contextAt(location, path),
    value,
    before: () => beforeAt(location, path),
    encode: (inner) => encodeInner(inner, walk),
  });
  if (answer === undefined) throw unknownType(path, value);
  for (const { kept } of walk.waits?.slice(waiting) ?? [])
    if (isLater(answer) || !holds(answer, kept)) throw late(path);
  if (!isLater(answer)) return checked(answer, path);
  // Reserves its place in the tree, so that the other values are encoded as they are now.
  const kept: Record<string, Encoded> = {};
  const filled = answer.answer.then((encoded) => void Object.assign(kept, checked(encoded, path)));
  filled.catch(() => {}); // Awaited only if nothing else fails first.
  walk.waits ??= [];
  walk.waits.push({ kept, filled });
  return kept;
}

/** Encodes a part of a plugin's value. A cycle through the plugin ends at the depth limit. */
function encodeInner(value: unknown, walk: Walk): Encoded {
  const depth = walk.at?.depth ?? 0;
  if (depth > maxDepth) throw tooDeep(pathOf(walk.at));
  return encodeNode(value, walk);
}

/**
 * Returns true if the answer contains the reserved object. A plugin that converted it to text, for example, would miss
 * the late answer.
 */
function holds(encoded: Encoded, kept: Encoded): boolean {
  if (encoded === kept) return true;
  return typeof encoded === "object" && encoded !== null && Object.values(encoded).some((one) => holds(one, kept));
}

function late(path: Path): EngineError {
  return new EngineError(
    "PLUGIN_FAILED",
    `A plugin encodes a part of ${readablePath(path)} asynchronously. The plugin that encodes the value around that part cannot wait for it: its answer must contain the result of encode() unchanged.`,
  );
}

function checked(answer: Encoded, path: Path): EncodedMembers {
  if (isTagged(answer)) return answer;
  const message = `A plugin encoded ${readablePath(path)} as something that is not a tag.`;
  throw new EngineError(
    "PLUGIN_FAILED",
    `${message} Return an object with one key that begins with one "$", e.g. { $money: "1 EUR" }.`,
  );
}

function frameOf(container: object, { at: outer }: Walk): Frame {
  for (let at = outer; at; at = at.outer) {
    if (at.container === container) throw cycle(pathOf(outer), pathOf(at.outer));
  }
  const frame = frameIn(outer, container);
  if (frame.depth > maxDepth) throw tooDeep(pathOf(outer));
  return frame;
}

function refuseSymbols(value: object, walk: Walk): void {
  const symbols = Object.getOwnPropertySymbols(value);
  if (symbols.length === 0) return;
  const key = symbols.find((symbol) => Object.prototype.propertyIsEnumerable.call(value, symbol));
  if (key !== undefined) throw symbolKey(pathOf(walk.at), key);
}
