/** Redaction of errors: plugins redact texts, and this applies them to all texts of an error. */
import { inspect, types } from "node:util";
import type { EngineError } from "./errors.js";
import type { Bytes } from "./vocabulary.js";

export type Redact = (text: string) => string;

/** Returns an error without secrets. */
export interface Redaction {
  (error: EngineError): EngineError;
  (error: unknown): unknown;
}

/**
 * Makes a function that returns the error itself if it contains no secret, otherwise a copy of its class in which all
 * texts, including those of causes, are redacted. One error always gives the same copy, so that a failure is reported
 * once.
 */
export function redaction(redact: Redact): Redaction {
  const known = new WeakMap<object, object>();
  function safe(error: EngineError): EngineError;
  function safe(error: unknown): unknown;
  function safe(error: unknown): unknown {
    const latest = (isObject(error) && known.get(error)) || error;
    // Copies are checked again, because more secrets may have become known.
    if (isSafe(latest, redact)) return latest;
    const copies = new Map<object, object>();
    const made = copyOf(latest, { redact, copies });
    for (const [from, copy] of copies) if (from instanceof Error) known.set(from, copy);
    if (isObject(error) && isObject(made)) known.set(error, made);
    return made;
  }
  return safe;
}

/** Uses a list instead of recursion: the objects on an error, e.g. a request with its sockets, may be nested deeply. */
function isSafe(value: unknown, redact: Redact): boolean {
  const met = new Set<unknown>();
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === "string") {
      if (redact(next) !== next) return false;
    } else if (isObject(next) && !met.has(next)) {
      met.add(next);
      for (const part of partsOf(next)) ahead.push(part);
    }
  }
  return true;
}

/** Yields the visible parts of an object: its members and their names, or the texts that it is printed as. */
function* partsOf(object: object): Generator<unknown> {
  const bytes = bytesOf(object);
  if (bytes) {
    yield bytes.toString();
    // Bytes that are not text are searched as hexadecimal digits.
    yield bytes.toString("hex");
  } else if (types.isMap(object)) for (const entry of object) yield* entry;
  else if (types.isSet(object)) yield* object;
  else {
    yield* textsOf(object);
    for (const [key, value] of membersOf(object)) yield* [key, value];
  }
}

interface Copying {
  readonly redact: Redact;
  readonly copies: Map<object, object>;
}

function copyOf(value: unknown, copying: Copying): unknown {
  const { redact, copies } = copying;
  if (typeof value === "string") return redact(value);
  if (!isObject(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  const isError = value instanceof Error;
  // An object without secrets is kept. Errors are only checked as a whole, which is slow.
  if (!isError && isSafe(value, redact)) return value;
  const bytes = bytesOf(value);
  if (bytes) return Buffer.from(redactedBytes(bytes, redact));
  const [text] = textsOf(value);
  if (text !== undefined) return redact(text);
  if (types.isMap(value)) {
    const copy = new Map<unknown, unknown>();
    copies.set(value, copy);
    for (const [key, member] of value) copy.set(copyOf(key, copying), copyOf(member, copying));
    return copy;
  }
  if (types.isSet(value)) {
    const copy = new Set<unknown>();
    copies.set(value, copy);
    for (const member of value) copy.add(copyOf(member, copying));
    return copy;
  }
  // Only errors are copied with their class: other classes cannot be instantiated safely.
  const empty: object = Array.isArray(value) ? [] : isError ? Object.create(Object.getPrototypeOf(value)) : {};
  copies.set(value, empty);
  return withMembers(empty, membersOf(value), copying);
}

function withMembers(to: object, members: Members, copying: Copying): object {
  for (const [key, member, enumerable] of members) {
    const name = typeof key === "string" ? copying.redact(key) : key;
    const value = copyOf(member, copying);
    Object.defineProperty(to, name, { value, enumerable, writable: true, configurable: true });
  }
  return to;
}

/** Hides binary data as a whole: the end of the secret in it is unknown. */
function redactedBytes(bytes: Buffer, redact: Redact): string {
  const text = bytes.toString();
  const redacted = redact(text);
  return redacted === text ? redact(bytes.toString("hex")) : redacted;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** Members of an error, as printing or JSON serialisation finds them. */
type Members = Iterable<readonly [key: PropertyKey, value: unknown, enumerable: boolean]>;

/** Returns the bytes of binary data, or undefined for any other object. */
export function bytesOf(value: object): Bytes | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined;
}

/** Members that an error may inherit from its prototype, as a DOMException does. */
const INHERITED = ["name", "message", "stack", "cause"] as const;

/** Yields the own members, and for an error those that all errors have. A member that cannot be read is undefined. */
function* membersOf(object: object): Members {
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

/** Returns the texts that an object is printed as or converted to, unless these only list its members. */
function textsOf(value: object): readonly string[] {
  if (value instanceof Error || Array.isArray(value) || types.isMap(value) || types.isSet(value)) return [];
  const isMadeOfMembers = typeof value !== "function" && !types.isPromise(value) && keysOf(value).length > 0;
  const isPrinted = !isMadeOfMembers || typeof valueAt(value, inspect.custom) === "function";
  const speaks = typeof value !== "function" && valueAt(value, "toString") !== Object.prototype.toString;
  // If this throws, printing the object throws as well.
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
    return []; // A proxy that refuses to list its keys.
  }
}

function valueAt(object: object, key: PropertyKey): unknown {
  try {
    return Reflect.get(object, key);
  } catch {
    return undefined;
  }
}
