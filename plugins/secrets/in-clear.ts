/** Decoded values with what secrets hold in their place. Pure. */
import { types } from "node:util";
import { isPlainObject } from "../../core/codec/index.js";
import { isSecret } from "./secret.js";

export function inClear(value: unknown): unknown {
  if (isSecret(value)) return inClear(value.unencrypted);
  if (Array.isArray(value)) return value.map(inClear);
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [inClear(key), inClear(member)]));
  if (types.isSet(value)) return new Set([...value].map(inClear));
  if (typeof value !== "object" || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inClear(member)]));
}
