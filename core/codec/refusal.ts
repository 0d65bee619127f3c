/** Errors of the codec for values that the state cannot hold: the place, the value found, and advice. */
import { types } from "node:util";
import { EngineError, messageOf } from "../base/index.js";
import type { Encoded, Scope, ValueContext, ValueSlot } from "../contract/index.js";
import { nameOf } from "./builtin.js";
import { escapeKey, isList, membersOf, tagOf } from "./keys.js";
import { leafDecoders } from "./leaves.js";
import { maxDepth, type Path, pointerOf, readablePath } from "./path.js";

/** Brand of secrets, the same in every copy of the package. */
const SECRET = Symbol.for("scope-engine/secret");

export function unknownType(path: Path, value: object | symbol): EngineError {
  if (typeof value === "symbol") {
    return refusal(
      path,
      `the unregistered symbol ${String(value)}`,
      "Use Symbol.for(key), which other runs find again.",
    );
  }
  if (typeof value === "function") {
    const name = nameOf(value);
    const found = name === undefined ? "a function" : `the function "${name}"`;
    return refusal(path, found, "Pass what it returns, or leave it out.");
  }
  if (types.isPromise(value)) return refusal(path, "a promise", "Await it first.");
  if (SECRET in value) {
    return refusal(
      path,
      "a secret",
      'This engine has no plugin that encrypts secrets. Pass { plugins: [secrets()], password } to createTestApp() or createEngine(), with secrets from "scope-engine/plugins/secrets", or use engine from "scope-engine".',
    );
  }
  const name = nameOf(value) ?? "a class without a name";
  return refusal(
    path,
    `an instance of ${name}`,
    "Pass a plain object with its data, or let a plugin encode this type (hooks encodeValue and decodeValue).",
  );
}

export function symbolKey(path: Path, key: symbol): EngineError {
  return refusal(
    path,
    `an object or an array with a property under the symbol ${String(key)}`,
    "Use string keys, or make that property non-enumerable.",
  );
}

export function memberOfArray(path: Path): EngineError {
  return refusal(
    path,
    "an extra property of an array, not one of its elements",
    "Copy the elements ([...array]), or use an object.",
  );
}

/** @param ancestor path at which the same object contains `path` */
export function cycle(path: Path, ancestor: Path): EngineError {
  return refusal(path, `a circular reference to ${readablePath(ancestor)}`, "Refer to that object by a name or an id.");
}

export function tooDeep(path: Path): EngineError {
  return refusal(
    path,
    `a value more than ${maxDepth} levels deep`,
    "Make it flatter, e.g. an array of items that refer to each other by id.",
  );
}

/** Error for a getter or proxy that threw while it was read. */
export function unreadable(path: Path, cause: unknown): EngineError {
  const message = `Cannot record ${readablePath(path)}: reading it failed: ${messageOf(cause)}`;
  return new EngineError("UNSERIALIZABLE", message, { cause });
}

function refusal(path: Path, found: string, advice: string): EngineError {
  return new EngineError("UNSERIALIZABLE", `Cannot record ${readablePath(path)}: it is ${found}. ${advice}`);
}

/** The place in the state of a value that is encoded or decoded. */
export interface ValueLocation {
  readonly scope: Scope | undefined;
  readonly fqn: string;
  readonly owner: string;
  readonly slot: ValueSlot;
  /** Name of the entry in the slot `data`, which is the only slot with several entries. */
  readonly key?: string;
  /** Returns the values recorded at this place; called only if they are needed. */
  readonly before?: (() => readonly (Encoded | undefined)[]) | undefined;
  /** The recorded encoding that the value probably equals. If it does, this object itself is the result. */
  readonly likely?: Encoded | undefined;
}

/** Location for a codec that is used on its own. */
export const NOWHERE: ValueLocation = { scope: undefined, fqn: "", owner: "", slot: "data" };

export function contextAt({ scope, fqn, owner, slot, key }: ValueLocation, path: Path): ValueContext {
  return { scope, fqn, owner, slot, path: pointerOf(key === undefined ? path : [key, ...path]) };
}

/** Returns the values at a path in each encoded value that is recorded at a location. */
export function beforeAt(location: ValueLocation, path: Path): readonly Encoded[] {
  return (location.before?.() ?? []).flatMap((tree) => layersAt(tree, path));
}

function layersAt(tree: Encoded | undefined, path: Path): readonly Encoded[] {
  let at = tree;
  for (const key of path) {
    const container = layersOf(at).at(-1);
    at = container === undefined ? undefined : childOf(container, key);
  }
  return layersOf(at);
}

/** Returns a value and, if it is a tag, its body, which has the same path, and so on. */
function layersOf(encoded: Encoded | undefined): readonly Encoded[] {
  if (encoded === undefined) return [];
  const tag = tagOf(encoded);
  return tag === undefined ? [encoded] : [encoded, ...layersOf(membersOf(encoded)?.[tag])];
}

function childOf(container: Encoded, key: string | number): Encoded | undefined {
  if (isList(container)) return typeof key === "number" ? container[key] : undefined;
  const name = escapeKey(String(key));
  const members = membersOf(container);
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Returns true if a plugin has encoded any part of an encoded value, and may have bound it to its place. */
export function hasForeign(encoded: Encoded): boolean {
  if (typeof encoded !== "object" || encoded === null) return false;
  if (isList(encoded)) return encoded.some(hasForeign);
  const tag = tagOf(encoded);
  if (tag !== undefined && !ownTags.has(tag)) return true;
  return Object.values(encoded).some(hasForeign);
}

const ownTags: ReadonlySet<string> = new Set([...leafDecoders.keys(), "$map", "$set", "$error"]);
