/** Built-in types without members: each one's two directions side by side. */
import { types } from "node:util";
import type { Encoded } from "../contract/index.js";
import { prototypeCount } from "./builtin.js";
import { bytesFrom, encodeBytes } from "./bytes.js";
import { isList } from "./keys.js";

/** One for all: encoded trees are never changed, and `undefined` is frequent among optional props. */
export const encodedUndefined: Encoded = Object.freeze({ $undefined: true });

/** The numbers that JSON has no form for. */
const specialNumbers: ReadonlyMap<string, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
  ["-0", -0],
]);

export function encodeNumber(value: number): Encoded {
  // Zero needs the closer look: -0 is finite, and JSON writes it as 0.
  if (value !== 0 ? Number.isFinite(value) : !Object.is(value, -0)) return value;
  return { $number: value === 0 ? "-0" : String(value) };
}

/** Undefined: not of these types. */
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

/** Each throws on a body that its encoder does not write. */
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
