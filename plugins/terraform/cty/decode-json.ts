/** Reads values from JSON, which a provider may send instead of MessagePack. */

import { type CtyNumber, numberOf } from "../../internal/text/decimal.js";
import { withJsonTokens } from "../../internal/text/json-tokens.js";
import { Walk } from "./reader.js";
import type { CtyType } from "./type.js";
import { parseType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { isNull, keyOf, partsOf } from "./walk.js";

/**
 * Decodes a value from JSON.
 *
 * @param how `isWhole`: an object without a member of its type, or with another one, is an error. Default: false, which
 * makes absent members null
 * @throws EngineError `PROVIDER_FAILED`, with the path, if the bytes are not a value of the type
 */
export function decodeJson(type: CtyType, bytes: Uint8Array, how: { readonly isWhole?: boolean } = {}): CtyValue {
  const walk = new Walk("PROVIDER_FAILED", how);
  return fromJson(type, parsed(bytes, walk), walk);
}

function parsed(bytes: Uint8Array, walk: Walk): unknown {
  try {
    return exactJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    // Thrown below without the cause, which would quote a part of the text.
  }
  throw walk.problem("is not JSON");
}

function fromJson(type: CtyType, json: unknown, walk: Walk): CtyValue {
  if (json === null) return null;
  if (type === "dynamic") return dynamicOf(json, walk);
  if (type === "number") return numberIn(json, walk);
  if (type === "string" || type === "bool") {
    if ((typeof json === "string" && type === "string") || (typeof json === "boolean" && type === "bool")) return json;
    throw walk.problem(`must be a ${type}`);
  }
  switch (type[0]) {
    case "list":
    case "set":
      return listIn(json, walk).map((one, at) => inside(at, type[1], one, walk));
    case "tuple": {
      const values = listIn(json, walk);
      if (values.length !== type[1].length) throw walk.problem(`must have ${type[1].length} elements`);
      return type[1].map((one, at) => inside(at, one, values[at], walk));
    }
    case "map":
      return mapped(recordIn(json, walk), (name, one) => inside(name, type[1], one, walk));
    case "object": {
      const given = recordIn(json, walk);
      const names = Object.keys(type[1]);
      const isSame = () =>
        names.length === Object.keys(given).length && names.every((name) => Object.hasOwn(given, name));
      if (walk.isWhole && !isSame()) throw walk.problem("must have exactly the members of its type");
      return mapped(type[1], (name, one) => inside(name, one, Object.hasOwn(given, name) ? given[name] : null, walk));
    }
  }
}

function inside(step: string | number, type: CtyType, json: unknown, walk: Walk): CtyValue {
  walk.enter(step);
  const value = fromJson(type, json, walk);
  walk.leave();
  return value;
}

function dynamicOf(json: unknown, walk: Walk): CtyValue {
  const { type, value } = recordIn(json, walk);
  const own = parseType(Buffer.from(JSON.stringify(type) ?? ""));
  if (own === "dynamic") throw walk.problem('must have a concrete type, not "dynamic"');
  return new Dynamic(own, inside("value", own, value ?? null, walk));
}

function numberIn(json: unknown, walk: Walk): CtyValue {
  if (json instanceof ExactNumber) return json.value;
  const number = typeof json === "string" ? numberOf(json) : json;
  if (typeof number === "number" || typeof number === "bigint" || typeof number === "string") return number;
  throw walk.problem("must be a number");
}

function mapped<T>(
  record: Readonly<Record<string, T>>,
  value: (name: string, one: T) => CtyValue,
): Readonly<Record<string, CtyValue>> {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, value(name, one)]));
}

function listIn(json: unknown, walk: Walk): readonly unknown[] {
  if (!Array.isArray(json)) throw walk.problem("must be a list");
  return json;
}

function recordIn(json: unknown, walk: Walk): Readonly<Record<string, unknown>> {
  if (typeof json !== "object" || json === null || Array.isArray(json) || json instanceof ExactNumber)
    throw walk.problem("must be an object");
  return { ...json };
}

/** A number that `JSON.parse` would round. */
class ExactNumber {
  constructor(readonly value: CtyNumber) {}
}

/** @throws SyntaxError if the text is not JSON */
function exactJson(text: string): unknown {
  let isExact = true;
  // Strings and inexact numbers become strings with a prefix that tells them apart.
  const marked = withJsonTokens(text, (one) => {
    if (one.startsWith('"')) return `"s${one.slice(1)}`;
    const number = numberOf(one);
    if (number === undefined || typeof number === "number") return one;
    isExact = false;
    return `"n${one}"`;
  });
  return isExact ? JSON.parse(text) : JSON.parse(marked, (_key, value) => unmarked(value));
}

function unmarked(value: unknown): unknown {
  if (typeof value === "string") {
    const text = value.slice(1);
    return value.startsWith("n") ? new ExactNumber(numberOf(text) ?? text) : text;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof ExactNumber) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name.slice(1), one]));
}

/** Returns a value as JSON. @throws TypeError for an unknown value */
export function jsonText(type: CtyType, value: CtyValue): string {
  if (value instanceof Unknown) throw new TypeError("An unknown value cannot be written as JSON.");
  if (isNull(value)) return "null";
  if (value instanceof Dynamic) {
    return type === "dynamic"
      ? `{"value":${jsonText(value.type, value.value)},"type":${JSON.stringify(value.type)}}`
      : jsonText(type, value.value);
  }
  if (type === "number") return String(value);
  if (typeof type === "string") return JSON.stringify(value);
  const parts = partsOf(type, value);
  if (type[0] !== "object" && type[0] !== "map")
    return `[${parts.map((part) => jsonText(part.type, part.value)).join(",")}]`;
  return `{${parts.map((part) => `${JSON.stringify(String(keyOf(part.step)))}:${jsonText(part.type, part.value)}`).join(",")}}`;
}
