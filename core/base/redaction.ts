/** Errors without what plugins keep out of sight: texts are theirs to redact, errors are made of texts. */
import { inspect, types } from "node:util";
import type { EngineError } from "./errors.js";
import type { Bytes } from "./vocabulary.js";

export type Redact = (text: string) => string;

/** An error as others may see it. */
export interface Redaction {
  (error: EngineError): EngineError;
  (error: unknown): unknown;
}

/**
 * Gives the error itself where there is nothing to hide in it, else a copy of its class, with the texts of all that it
 * holds and that is behind it redacted: for one error always the same, so that what has failed once is told once.
 */
export function redaction(redact: Redact): Redaction {
  const known = new WeakMap<object, object>();
  function safe(error: EngineError): EngineError;
  function safe(error: unknown): unknown;
  function safe(error: unknown): unknown {
    const latest = (isObject(error) && known.get(error)) || error;
    // Also of a copy: more secrets may have become known.
    if (isSafe(latest, redact)) return latest;
    const copies = new Map<object, object>();
    const made = copyOf(latest, { redact, copies });
    for (const [from, copy] of copies) if (from instanceof Error) known.set(from, copy);
    if (isObject(error) && isObject(made)) known.set(error, made);
    return made;
  }
  return safe;
}

/** A list instead of recursion: what hangs on an error, e.g. a request with its sockets, may go deep. */
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

/** What there is to see of an object: its members and their names, or the texts that it is printed as. */
function* partsOf(object: object): Generator<unknown> {
  const bytes = bytesOf(object);
  if (bytes) {
    yield bytes.toString();
    // What is no text: its digits.
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
  // What has nothing to hide stays what it is; errors are worth the time to find out only as a whole.
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
  // Of any class but errors nobody knows how to make a second one.
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

/** Of what is no text nothing is shown: nobody can tell where in it the secret ends. */
function redactedBytes(bytes: Buffer, redact: Redact): string {
  const text = bytes.toString();
  const redacted = redact(text);
  return redacted === text ? redact(bytes.toString("hex")) : redacted;
}

function isObject(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

/** What hangs on an error, as whoever prints it or writes it as JSON finds it. */
type Members = Iterable<readonly [key: PropertyKey, value: unknown, enumerable: boolean]>;

/** Undefined: not binary data. */
export function bytesOf(value: object): Bytes | undefined {
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return types.isAnyArrayBuffer(value) ? Buffer.from(value) : undefined;
}

/** What the prototype of an error may answer for it: that of a DOMException does. */
const INHERITED = ["name", "message", "stack", "cause"] as const;

/** Own members, and of an error those that all have. One that cannot be read has nothing to show. */
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

/** The texts that an object is printed as, and put into strings as, where these are not just its members. */
function textsOf(value: object): readonly string[] {
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
