import { EngineError } from "../../../core/base/index.js";
import { type CtyNumber, compareNumbers, numberOf } from "../../internal/text/decimal.js";
import { Reader } from "./reader.js";
import { type CtyValue, Unknown } from "./value.js";
import { isList, isNull, isRecord } from "./walk.js";
import { Writer } from "./writer.js";

/** Known facts about an unknown value. */
export interface Refinements {
  readonly notNull?: boolean;
  /** Beginning of the string. */
  readonly prefix?: string;
  readonly least?: Bound;
  readonly most?: Bound;
  /** Minimum number of elements of a collection. */
  readonly shortest?: number;
  readonly longest?: number;
}

export interface Bound {
  readonly number: CtyNumber;
  /** True if the value can be the bound itself. */
  readonly isIncluded: boolean;
}

const [NULLNESS, PREFIX, LEAST, MOST, SHORTEST, LONGEST] = [1, 2, 3, 4, 5, 6];

type Found = { -readonly [Key in keyof Refinements]: Refinements[Key] };

/**
 * Reads the refinements of an unknown value.
 *
 * @throws EngineError `PROVIDER_FAILED` if they are malformed
 */
export function refinementsOf({ refinements }: Unknown): Refinements {
  if (!refinements) return {};
  const reader = new Reader(refinements, problem);
  if (reader.peek() !== "map") throw problem("is not a map");
  const found: Found = {};
  for (let left = reader.map(); left > 0; left--) {
    const key = reader.peek() === "number" ? reader.number() : undefined;
    if (key === undefined) throw problem("has a key that is not a number");
    readOne(key, reader, found);
  }
  return found;
}

function readOne(key: number | bigint, reader: Reader, found: Found): void {
  const kind = reader.peek();
  if (key === NULLNESS && kind === "bool") found.notNull = !reader.bool();
  else if (key === PREFIX && kind === "string") found.prefix = reader.string();
  else if (key === SHORTEST && kind === "number") found.shortest = Number(reader.number());
  else if (key === LONGEST && kind === "number") found.longest = Number(reader.number());
  else if (key === LEAST && kind === "array") found.least = boundIn(reader);
  else if (key === MOST && kind === "array") found.most = boundIn(reader);
  else reader.skip();
}

function boundIn(reader: Reader): Bound {
  if (reader.array() !== 2) throw problem("has a bound that is not a pair");
  const number = reader.peek() === "string" ? numberOf(reader.string()) : numberIn(reader);
  if (number === undefined || reader.peek() !== "bool") throw problem("has a bound that is not a number");
  return { number, isIncluded: reader.bool() };
}

function numberIn(reader: Reader): CtyNumber | undefined {
  return reader.peek() === "number" ? reader.number() : undefined;
}

/** Returns refinements in the form that an unknown value keeps; undefined if there are none. */
export function refinementBytes({ notNull, prefix }: Refinements): Uint8Array | undefined {
  const size = (notNull ? 1 : 0) + (prefix ? 1 : 0);
  if (size === 0) return undefined;
  const writer = new Writer();
  writer.map(size);
  if (notNull) {
    writer.integer(NULLNESS);
    writer.bool(false);
  }
  if (prefix) {
    writer.integer(PREFIX);
    writer.string(prefix);
  }
  return writer.written;
}

/**
 * False if the refinements of an unknown value exclude this value.
 *
 * @throws EngineError `PROVIDER_FAILED` if they are malformed
 */
export function mayBecome(unknown: Unknown, value: CtyValue): boolean {
  const { notNull, prefix = "", least, most, shortest = 0, longest } = refinementsOf(unknown);
  if (value instanceof Unknown) return true;
  if (isNull(value)) return notNull !== true;
  if (prefix !== "" && !String(value).startsWith(prefix)) return false;
  const length = isList(value) ? value.length : isRecord(value) ? Object.keys(value).length : undefined;
  if (length !== undefined) return shortest <= length && length <= (longest ?? length);
  return isWithin(least, value, 1) && isWithin(most, value, -1);
}

/** @param side 1 for a lower bound, -1 for an upper one */
function isWithin(bound: Bound | undefined, value: CtyValue, side: 1 | -1): boolean {
  const isNumber = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  if (bound === undefined || !isNumber) return true;
  const order = compareNumbers(value, bound.number) * side;
  return order > 0 || (order === 0 && bound.isIncluded);
}

function problem(what: string): EngineError {
  return new EngineError("PROVIDER_FAILED", `The refinement of an unknown value ${what}.`);
}
