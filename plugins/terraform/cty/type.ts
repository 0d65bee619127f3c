import { Walk } from "./reader.js";

/** A type of values of providers, in the form of their JSON: `"string"`, `["list", "number"]`, `["object", { … }]`. */
export type CtyType =
  | "string"
  | "number"
  | "bool"
  /** A value that carries its type. */
  | "dynamic"
  | readonly ["list" | "set" | "map", CtyType]
  | readonly ["tuple", readonly CtyType[]]
  | readonly ["object", Readonly<Record<string, CtyType>>, (readonly string[])?];

/** Returns the type at a position or key of a collection or tuple; `dynamic` if the type has none there. */
export function elementType(type: CtyType, index = 0): CtyType {
  if (typeof type === "string" || type[0] === "object") return "dynamic";
  return type[0] === "tuple" ? (type[1][index] ?? "dynamic") : type[1];
}

/** Returns the type of an own member of an object; undefined if there is none. */
export function memberType(types: Readonly<Record<string, CtyType>>, name: string): CtyType | undefined {
  return Object.hasOwn(types, name) ? types[name] : undefined;
}

/** Maximum characters of a type. The largest of known providers have some ten thousand. */
const LONGEST = 8 * 1024 * 1024;

/**
 * Parses a type from the JSON of a provider.
 *
 * @throws EngineError `PROVIDER_FAILED` if it is not a type
 */
export function parseType(bytes: Uint8Array): CtyType {
  const walk = new Walk("PROVIDER_FAILED");
  if (bytes.length > LONGEST) throw walk.problem("is not a type: it is too long");
  return typeOf(parsed(bytes, walk), walk);
}

/** Returns a type as JSON, like providers write it. */
export function typeBytes(type: CtyType): Uint8Array {
  return Buffer.from(JSON.stringify(type));
}

function parsed(bytes: Uint8Array, walk: Walk): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch (error) {
    throw walk.problem("is not a type: it is not JSON", error);
  }
}

function typeOf(json: unknown, walk: Walk): CtyType {
  if (json === "string" || json === "number" || json === "bool" || json === "dynamic") return json;
  if (!Array.isArray(json) || json.length < 2) throw noType(json, walk);
  const [kind, argument]: readonly unknown[] = json;
  walk.enter(String(kind));
  try {
    switch (kind) {
      case "list":
      case "set":
      case "map":
        return [kind, typeOf(argument, walk)];
      case "tuple":
        if (!Array.isArray(argument)) throw noType(json, walk);
        return [kind, argument.map((one) => typeOf(one, walk))];
      case "object":
        return objectType(argument, json[2], walk);
      default:
        throw noType(json, walk);
    }
  } finally {
    walk.leave();
  }
}

function objectType(attributes: unknown, optional: unknown, walk: Walk): CtyType {
  if (!isRecord(attributes)) throw noType(attributes, walk);
  const types = Object.fromEntries(Object.entries(attributes).map(([name, one]) => [name, typeOf(one, walk)]));
  if (optional === undefined || optional === null) return ["object", types];
  if (!Array.isArray(optional) || !optional.every((name) => typeof name === "string" && Object.hasOwn(types, name)))
    throw walk.problem("lists optional attributes that it does not have");
  return ["object", types, optional];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function noType(json: unknown, walk: Walk): Error {
  return walk.problem(`is not a type: ${(JSON.stringify(json) ?? "nothing").slice(0, 100)}`);
}

/** Caches the results of a function by object. Schemas and types are large, immutable, and needed for every value. */
export function memoized<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const cached = known.get(key);
    if (cached) return cached.result;
    const result = compute(key);
    known.set(key, { result });
    return result;
  };
}
