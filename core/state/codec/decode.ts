/** JSON with tags to fresh values. */
import { EngineError } from "../../errors.js";
import type { DecodeContext } from "../../hook-contexts.js";
import type { Encoded } from "../record.js";
import { errorFrom, isErrorParts } from "./error.js";
import { type EncodedMembers, isList, isTagKey, setMember, unescapeKey } from "./keys.js";
import { leafDecoders } from "./leaves.js";
import { type Frame, frameIn, maxDepth, pathOf, pointerOf, readablePath } from "./path.js";

type DecodeValue = (context: DecodeContext) => { readonly value: unknown } | undefined;

interface Walk {
  /** With the same keys as when the value was encoded: what a plugin has bound to the path is found there. */
  at: Frame | undefined;
  readonly decodeValue: DecodeValue | undefined;
}

export function decodeTree(encoded: Encoded, decodeValue: DecodeValue | undefined): unknown {
  return decodeNode(encoded, { at: undefined, decodeValue });
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
  const answer = walk.decodeValue?.({ tag, body, path: pointerOf(pathOf(walk.at)) });
  if (answer !== undefined) return answer.value;
  throw corrupt(walk, `has the unknown tag "${tag}"`, "Install the plugin, or the newer version, that wrote it.");
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
