/** What hangs on an error, as whoever prints it or writes it as JSON finds it. */
import { inspect, types } from "node:util";
import type { Bytes } from "./node-types.js";

export type Members = Iterable<readonly [key: PropertyKey, value: unknown, enumerable: boolean]>;

/** Undefined: not binary data. */
export function bytesOf(value: object): Bytes | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined;
}

/** What the prototype of an error may answer for it: that of a DOMException does. */
const INHERITED = ["name", "message", "stack", "cause"] as const;

/** Own members, and of an error those that all have. One that cannot be read has nothing to show. */
export function* membersOf(object: object): Members {
  const isError = object instanceof Error;
  const isArray = Array.isArray(object);
  for (const key of keysOf(object)) {
    if (isArray && key === "length") continue;
    const { enumerable = false } = Reflect.getOwnPropertyDescriptor(object, key) ?? {};
    yield [key, valueAt(object, key), enumerable];
  }
  if (!isError) return;
  for (const key of INHERITED) {
    const value = Object.hasOwn(object, key) ? undefined : valueAt(object, key);
    if (value !== undefined) yield [key, value, false];
  }
}

/** The texts that an object is printed as, and put into strings as, where these are not just its members. */
export function textsOf(value: object): readonly string[] {
  if (value instanceof Error || Array.isArray(value) || types.isMap(value) || types.isSet(value)) return [];
  const isMadeOfMembers = typeof value !== "function" && !types.isPromise(value) && keysOf(value).length > 0;
  const isPrinted = !isMadeOfMembers || typeof valueAt(value, inspect.custom) === "function";
  const speaks = typeof value !== "function" && valueAt(value, "toString") !== Object.prototype.toString;
  // Where this throws, whoever prints it cannot either.
  return [...(isPrinted ? attempted(() => inspect(value, WHOLE)) : []), ...(speaks ? attempted(() => `${value}`) : [])];
}

const WHOLE = { depth: 4, maxStringLength: null, maxArrayLength: null, breakLength: Number.POSITIVE_INFINITY } as const;

function attempted(text: () => string): readonly string[] {
  try {
    return [text()];
  } catch {
    return [];
  }
}

function keysOf(object: object): readonly PropertyKey[] {
  try {
    return Reflect.ownKeys(object);
  } catch {
    return []; // A proxy that does not tell.
  }
}

function valueAt(object: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(object, key);
  } catch {
    return undefined;
  }
}
