/** Writes values as MessagePack for providers. */

import { counted } from "../../internal/text/counted.js";
import { numberOf, numberOfInteger } from "../../internal/text/decimal.js";
import { Walk } from "./reader.js";
import type { CtyType } from "./type.js";
import { memoized, typeBytes } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { Writer } from "./writer.js";

/** Extension types of an unknown value without and with refinements. */
const UNKNOWN = 0;
export const REFINED = 12;
/** A lone surrogate. */
const HALF = /\p{Surrogate}/u;
const SURROGATES = /[\ud800-\udfff]/;
const ONE_BYTE = new Uint8Array(1);
const [LEAST, MOST] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Encodes a value as MessagePack for a provider.
 *
 * @throws EngineError `INVALID_PROPS`, with the path, if the value does not fit the type
 */
export function encode(type: CtyType, value: CtyValue): Uint8Array {
  const encoder = new Encoder();
  encoder.value(type, value);
  return encoder.written;
}

class Encoder {
  readonly #walk = new Walk("INVALID_PROPS");
  readonly #writer = new Writer();

  get written(): Uint8Array {
    return this.#writer.written;
  }

  value(type: CtyType, value: CtyValue): void {
    if (value === null) return this.#writer.nil();
    if (value instanceof Unknown) return this.#unknown(value);
    if (type === "dynamic") return this.#dynamic(value);
    if (type === "string") return this.#writer.string(this.#text(value));
    if (type === "number") return this.#number(value);
    if (type === "bool") {
      if (typeof value !== "boolean") throw this.#misfit("true or false", value);
      return this.#writer.bool(value);
    }
    switch (type[0]) {
      case "list":
      case "set":
        return this.#elements(this.#array(value), () => type[1]);
      case "tuple":
        return this.#tuple(type[1], value);
      case "map":
        return this.#map(type[1], value);
      case "object":
        return this.#object(type, value);
    }
  }

  #unknown({ refinements }: Unknown): void {
    if (refinements) this.#writer.extension(REFINED, refinements);
    else this.#writer.extension(UNKNOWN, ONE_BYTE);
  }

  #dynamic(value: CtyValue): void {
    if (!(value instanceof Dynamic)) throw this.#misfit("a value with its type", value);
    if (value.type === "dynamic") throw this.#walk.problem('must have a concrete type, not "dynamic"');
    this.#writer.array(2);
    this.#writer.binary(typeBytes(value.type));
    this.value(value.type, value.value);
  }

  #text(value: CtyValue): string {
    if (typeof value !== "string") throw this.#misfit("a string", value);
    if (HALF.test(value)) throw this.#walk.problem("is not a valid string: it has half of a character");
    return value.normalize("NFC");
  }

  #number(value: CtyValue): void {
    const number = typeof value === "string" ? numberOf(value) : value;
    if (typeof number === "number") return this.#float(number);
    if (typeof number === "bigint") return this.#integer(number);
    if (typeof number !== "string") throw this.#misfit("a number", value);
    this.#writer.string(number);
  }

  #float(value: number): void {
    if (Number.isNaN(value)) throw this.#walk.problem("is not a number (NaN)");
    if (!Number.isInteger(value)) return this.#writer.float(value);
    const isSmall = Number.isSafeInteger(value) || isWithin(BigInt(value));
    if (isSmall) this.#writer.integer(Number.isSafeInteger(value) ? value : BigInt(value));
    else this.#writer.float(value);
  }

  #integer(value: bigint): void {
    const number = numberOfInteger(value);
    if (typeof number === "number") this.#float(number);
    else if (isWithin(value)) this.#writer.integer(value);
    else this.#writer.string(String(value));
  }

  #elements(values: readonly CtyValue[], typeAt: (at: number) => CtyType): void {
    this.#writer.array(values.length);
    for (const [at, value] of values.entries()) {
      this.#walk.enter(at);
      this.value(typeAt(at), value);
      this.#walk.leave();
    }
  }

  #tuple(types: readonly CtyType[], value: CtyValue): void {
    const values = this.#array(value);
    if (values.length !== types.length)
      throw this.#walk.problem(`must have ${counted(types.length, "element")}, not ${values.length}`);
    this.#elements(values, (at) => types[at] ?? "dynamic");
  }

  #map(type: CtyType, value: CtyValue): void {
    const entries = Object.entries(this.#record(value));
    this.#writer.map(entries.length);
    for (const [key, one] of entries.sort(byName)) this.#pair(key, type, one);
  }

  #object(
    [, types, optional = []]: readonly ["object", Readonly<Record<string, CtyType>>, ...unknown[]],
    value: CtyValue,
  ): void {
    const record = this.#record(value);
    const strange = Object.keys(record).find((name) => !Object.hasOwn(types, name));
    if (strange !== undefined) throw this.#walk.problem(`has "${strange}", which its type does not have`);
    const attributes = inOrder(types);
    this.#writer.map(attributes.length);
    for (const { name, type, bytes } of attributes) {
      const one = Object.hasOwn(record, name) ? record[name] : undefined;
      if (one === undefined && !(optional as readonly string[]).includes(name))
        throw this.#walk.problem(`lacks "${name}"`);
      this.#walk.enter(name);
      if (bytes) this.#writer.encoded(bytes);
      else this.#writer.string(this.#text(name));
      this.value(type, one ?? null);
      this.#walk.leave();
    }
  }

  #pair(name: string, type: CtyType, value: CtyValue): void {
    this.#walk.enter(name);
    this.#writer.string(this.#text(name));
    this.value(type, value);
    this.#walk.leave();
  }

  #array(value: CtyValue): readonly CtyValue[] {
    if (!isList(value)) throw this.#misfit("a list", value);
    return value;
  }

  #record(value: CtyValue): Readonly<Record<string, CtyValue>> {
    if (typeof value !== "object" || value === null || isList(value)) throw this.#misfit("an object", value);
    if (value instanceof Unknown || value instanceof Dynamic) throw this.#misfit("an object", value);
    return value;
  }

  #misfit(wanted: string, value: CtyValue): Error {
    return this.#walk.problem(`must be ${wanted}, not ${kindOf(value)}`);
  }
}

function isWithin(value: bigint): boolean {
  return value >= LEAST && value <= MOST;
}

function isList(value: CtyValue): value is readonly CtyValue[] {
  return Array.isArray(value);
}

interface NamedType {
  readonly name: string;
  readonly type: CtyType;
  /** The name as MessagePack; undefined for an invalid one. */
  readonly bytes: Uint8Array | undefined;
}

/** Returns sorted attributes, because each type is encoded many times. */
const inOrder = memoized((types: Readonly<Record<string, CtyType>>): readonly NamedType[] =>
  Object.entries(types)
    .sort(byName)
    .map(([name, type]) => ({ name, type, bytes: HALF.test(name) ? undefined : nameBytes(name) })),
);

function nameBytes(name: string): Uint8Array {
  const writer = new Writer();
  writer.string(name.normalize("NFC"));
  return writer.written;
}

/** Compares names by code points, like UTF-8 bytes. With surrogates, JavaScript's order by units differs. */
function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  if (SURROGATES.test(left) || SURROGATES.test(right)) return Buffer.compare(Buffer.from(left), Buffer.from(right));
  return left < right ? -1 : Number(left > right);
}

function kindOf(value: CtyValue | undefined): string {
  if (value === null || value === undefined) return String(value);
  if (value instanceof Dynamic) return "a value with its own type";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
