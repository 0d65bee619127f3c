/** JSON with tags to fresh values. */
import { EngineError } from "../../errors.js";
import type { DecodeContext } from "../../hook-contexts.js";
import type { Encoded } from "../record.js";
import { errorFrom, isErrorParts } from "./error.js";
import { type EncodedMembers, isList, isTagKey, setMember, unescapeKey } from "./keys.js";
import { leafDecoders } from "./leaves.js";
import { maxDepth, pointerOf, readablePath } from "./path.js";

type DecodeValue = (context: DecodeContext) => { readonly value: unknown } | undefined;

interface Walk {
  /** The same keys as when the value was encoded: what a plugin has bound to the path is found there. */
  readonly path: (string | number)[];
  readonly decodeValue: DecodeValue | undefined;
}

export function decodeTree(encoded: Encoded, decodeValue: DecodeValue | undefined): unknown {
  return decodeNode(encoded, { path: [], decodeValue });
}

function decodeNode(encoded: Encoded, walk: Walk): unknown {
  if (typeof encoded !== "object" || encoded === null) return encoded;
  return isList(encoded) ? decodeList(encoded, walk) : decodeMembers(encoded, walk);
}

function decodeMembers(encoded: EncodedMembers, walk: Walk): unknown {
  const keys = Object.keys(encoded);
  const [first] = keys;
  if (keys.length === 1 && first !== undefined && isTagKey(first))
    return decodeTag(first, encoded[first] ?? null, walk);
  const value: Record<string, unknown> = {};
  const at = enter(walk, "");
  for (const key of keys) {
    const userKey = unescapeKey(key);
    walk.path[at] = userKey;
    if (isTagKey(key)) throw corrupt(walk, `has the tag "${key}" beside other members`);
    setMember(value, userKey, decodeNode(encoded[key] ?? null, walk));
  }
  walk.path.pop();
  return value;
}

function decodeList(encoded: readonly Encoded[], walk: Walk): readonly unknown[] {
  const values: unknown[] = [];
  const at = enter(walk, 0);
  for (const element of encoded) {
    walk.path[at] = values.length;
    values.push(decodeNode(element, walk));
  }
  walk.path.pop();
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
  const answer = walk.decodeValue?.({ tag, body, path: pointerOf(walk.path) });
  if (answer !== undefined) return answer.value;
  throw corrupt(walk, `has the unknown tag "${tag}"`, "Install the plugin, or the newer version, that wrote it.");
}

function isPair(value: unknown): value is readonly [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}

/** Adds a key to the path, and says at which index of it. */
function enter(walk: Walk, key: string | number): number {
  if (walk.path.length >= maxDepth) throw corrupt(walk, `is more than ${maxDepth} levels deep`);
  return walk.path.push(key) - 1;
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
  return new EngineError("STATE_CORRUPT", `Recorded value at ${readablePath(walk.path)} ${what}. ${advice}`, { cause });
}
