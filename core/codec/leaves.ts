/** Encoders and decoders of built-in types without members. */
import { types } from "node:util";
import type { Encoded } from "../contract/index.js";
import { nameOf, prototypeCount } from "./builtin.js";
import { type EncodedMembers, isList } from "./keys.js";

/** Shared: encoded trees are never changed, and `undefined` is frequent among optional props. */
export const encodedUndefined: Encoded = Object.freeze({ $undefined: true });

/** Numbers that JSON has no form for. */
const specialNumbers: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);

export function encodeNumber(value: number): Encoded {
  // Zero is checked separately: -0 is finite, but JSON writes it as 0.
  if (value !== 0 ? Number.isFinite(value) : !Object.is(value, -0)) return value;
  return { $number: value === 0 ? "-0" : String(value) };
}

/** Encodes a value, or returns undefined if it is not of these types. */
export function encodeLeaf(value: object): Encoded | undefined {
  if (prototypeCount(value) === 2) {
    if (types.isDate(value)) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
    if (value instanceof URL) return { $url: value.href };
    if (types.isRegExp(value)) {
      const { source, flags, lastIndex } = value;
      return { $regexp: lastIndex === 0 ? [source, flags] : [source, flags, lastIndex] };
    }
  }
  return encodeBytes(value);
}

/** Decoders by tag. Each throws on a body that its encoder does not write. */
export const leafDecoders: ReadonlyMap<string, (body: Encoded) => unknown> = new Map<
  string,
  (body: Encoded) => unknown
>([
  ["$undefined", (body) => (body === true ? undefined : fail())],
  ["$number", (body) => specialNumbers.get(text(body)) ?? fail()],
  ["$bigint", bigintFrom],
  ["$symbol", (body) => Symbol.for(text(body))],
  ["$date", dateFrom],
  ["$url", (body) => new URL(text(body))],
  ["$regexp", regexpFrom],
  ["$bytes", (body) => (isList(body) ? bytesFrom(text(body[0]), text(body[1])) : fail())],
]);

function bigintFrom(body: Encoded): bigint {
  const value = BigInt(text(body));
  // BigInt() also takes "", " 1 " and "0x1", which this codec never writes.
  return value.toString() === body ? value : fail();
}

function dateFrom(body: Encoded): Date {
  if (body === null) return new Date(Number.NaN);
  const date = new Date(text(body));
  return Number.isNaN(date.getTime()) ? fail() : date;
}

function regexpFrom(body: Encoded): RegExp {
  if (!isList(body)) return fail();
  const [source, flags, lastIndex = 0] = body;
  const regexp = new RegExp(text(source), text(flags));
  regexp.lastIndex = typeof lastIndex === "number" ? lastIndex : fail();
  return regexp;
}

function text(body: Encoded | undefined): string {
  return typeof body === "string" ? body : fail();
}

function fail(): never {
  throw new TypeError("Not what the codec writes under this tag");
}

type Bytes = ArrayBuffer | ArrayBufferView;

interface BytesClass {
  /** Length of the prototype chain of a direct instance. A subclass has a longer chain and cannot be decoded. */
  readonly prototypes: number;
  from(buffer: ArrayBuffer): Bytes;
}

const classes: ReadonlyMap<string, BytesClass> = new Map<string, BytesClass>([
  ["ArrayBuffer", { prototypes: 2, from: (buffer) => buffer }],
  ["DataView", { prototypes: 2, from: (buffer) => new DataView(buffer) }],
  ["Buffer", { prototypes: 4, from: (buffer) => Buffer.from(buffer) }],
  ["Int8Array", { prototypes: 3, from: (buffer) => new Int8Array(buffer) }],
  ["Uint8Array", { prototypes: 3, from: (buffer) => new Uint8Array(buffer) }],
  ["Uint8ClampedArray", { prototypes: 3, from: (buffer) => new Uint8ClampedArray(buffer) }],
  ["Int16Array", { prototypes: 3, from: (buffer) => new Int16Array(buffer) }],
  ["Uint16Array", { prototypes: 3, from: (buffer) => new Uint16Array(buffer) }],
  ["Int32Array", { prototypes: 3, from: (buffer) => new Int32Array(buffer) }],
  ["Uint32Array", { prototypes: 3, from: (buffer) => new Uint32Array(buffer) }],
  ["Float32Array", { prototypes: 3, from: (buffer) => new Float32Array(buffer) }],
  ["Float64Array", { prototypes: 3, from: (buffer) => new Float64Array(buffer) }],
  ["BigInt64Array", { prototypes: 3, from: (buffer) => new BigInt64Array(buffer) }],
  ["BigUint64Array", { prototypes: 3, from: (buffer) => new BigUint64Array(buffer) }],
]);

/**
 * Encodes binary data. Returns undefined for other values and unknown classes. A view is encoded without the rest of
 * its buffer.
 */
function encodeBytes(value: object): Encoded | undefined {
  if (!ArrayBuffer.isView(value) && !types.isArrayBuffer(value)) return undefined;
  // The tag comes from an internal slot, so it is the built-in class even for a subclass.
  const name = Buffer.isBuffer(value) ? "Buffer" : Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (classes.get(name)?.prototypes !== prototypeCount(value)) return undefined;
  const bytes = ArrayBuffer.isView(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(value);
  return { $bytes: [name, bytes.toString("base64")] };
}

/** Decodes binary data from base64 and the name of its class: `["Uint8Array", "AQI="]`. */
function bytesFrom(name: string, base64: string): Bytes {
  // May be part of a shared pool, so it is copied below.
  const pooled = Buffer.from(base64, "base64");
  // Buffer.from skips characters that are not base64, which would silently turn damage into other bytes.
  if (pooled.toString("base64") !== base64) throw new TypeError("Not base64");
  const made = classes.get(name)?.from(new Uint8Array(pooled).buffer);
  if (made === undefined) throw new TypeError(`No class of bytes is called "${name}"`);
  return made;
}

const errorClasses: ReadonlyMap<string, (message: string) => Error> = new Map<string, (message: string) => Error>([
  ["TypeError", (message) => new TypeError(message)],
  ["RangeError", (message) => new RangeError(message)],
  ["SyntaxError", (message) => new SyntaxError(message)],
  ["ReferenceError", (message) => new ReferenceError(message)],
  ["EvalError", (message) => new EvalError(message)],
  ["URIError", (message) => new URIError(message)],
  ["AggregateError", (message) => new AggregateError([], message)],
]);

/** The kept members of an error, encoded and decoded like those of a plain object. */
type ErrorParts = {
  readonly name: string;
  readonly message: string;
  /** Built-in class, if the name does not give it. */
  readonly class?: string;
  readonly stack?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
};

/** Returns the members that distinguish errors, without objects that libraries attach, such as requests and sockets. */
export function partsOf(error: Error): ErrorParts {
  const { name, message, stack } = error;
  const builtin = builtinClassOf(error);
  return {
    name: String(name),
    message: String(message),
    ...(builtin !== classNamed(name) && { class: builtin }),
    ...(typeof stack === "string" && { stack }),
    ...("code" in error && error.code !== undefined && { code: error.code }),
    ...(Object.hasOwn(error, "cause") && { cause: error.cause }),
    ...("errors" in error && error.errors !== undefined && { errors: error.errors }),
  };
}

export function isErrorParts(value: unknown): value is ErrorParts {
  if (typeof value !== "object" || value === null || !("name" in value) || !("message" in value)) return false;
  return typeof value.name === "string" && typeof value.message === "string";
}

export function errorFrom(parts: ErrorParts): Error {
  const { name, message } = parts;
  const error = errorClasses.get(parts.class ?? name)?.(message) ?? new Error(message);
  // Without a recorded stack, the new error's own would point into the decoder.
  defineHidden(error, "stack", parts.stack ?? `${name}: ${message}`);
  if (error.name !== name) defineHidden(error, "name", name);
  if ("cause" in parts) defineHidden(error, "cause", parts.cause);
  if ("errors" in parts) defineHidden(error, "errors", parts.errors);
  return "code" in parts ? Object.assign(error, { code: parts.code }) : error;
}

/**
 * Returns the part of an error's body that counts in comparisons: everything but the stack. It contains paths of one
 * machine and line numbers of one version, so every deployer would see a change.
 */
export function comparableError({ stack, ...rest }: EncodedMembers): EncodedMembers {
  return rest;
}

/** Returns the nearest built-in class, also for an error of another realm, which `instanceof` would miss. */
function builtinClassOf(error: Error): string {
  for (let at: object = error; at !== null; at = Object.getPrototypeOf(at)) {
    const name = nameOf(at);
    if (name !== undefined && errorClasses.has(name)) return name;
  }
  return "Error";
}

function classNamed(name: string): string {
  return errorClasses.has(name) ? name : "Error";
}

/** Defines a member that is not enumerable, as built-in classes do. */
function defineHidden(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, { value, enumerable: false, configurable: true, writable: true });
}
