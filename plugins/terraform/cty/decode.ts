/** Reads values from the MessagePack of providers. */
import { counted } from "../../internal/text/counted.js";
import { numberOf } from "../../internal/text/decimal.js";
import { maskedStart } from "../../secrets/redactor.js";
import { REFINED } from "./encode.js";
import { type Kind, Reader, Walk } from "./reader.js";
import { type CtyType, elementType, memberType, memoized, parseType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { isList, isRecord, memberOf, recordOf } from "./walk.js";

/** Maximum bytes of the refinements of an unknown value, as in cty. */
const MOST_REFINED = 1024;

/**
 * Decodes a value from the MessagePack of a provider.
 *
 * @throws EngineError `PROVIDER_FAILED`, with the path, if the bytes are not a value of the type
 */
export function decode(type: CtyType, bytes: Uint8Array): CtyValue {
  return new Decoder(bytes).whole(type);
}

class Decoder {
  readonly #walk = new Walk("PROVIDER_FAILED");
  readonly #reader: Reader;

  constructor(bytes: Uint8Array) {
    this.#reader = new Reader(bytes, (what) => this.#walk.problem(what));
  }

  whole(type: CtyType): CtyValue {
    const value = this.#value(type);
    if (!this.#reader.isAtEnd) throw this.#walk.problem("is followed by extra bytes");
    return value;
  }

  #value(type: CtyType): CtyValue {
    const kind = this.#reader.peek();
    if (kind === "extension") return this.#unknown();
    if (kind === "nil") {
      this.#reader.nil();
      return null;
    }
    if (type === "dynamic") return this.#dynamic(kind);
    if (type === "number") return this.#number(kind);
    if (type === "string" || type === "bool") {
      this.#expect(kind, type);
      return this.#reader[type]();
    }
    switch (type[0]) {
      case "list":
      case "set":
        return this.#elements(kind, () => type[1]);
      case "tuple":
        return this.#elements(kind, (at) => type[1][at], type[1].length);
      case "map":
        return this.#map(kind, type[1]);
      case "object":
        return this.#object(kind, type[1], type[2] ?? []);
    }
  }

  /** Every extension is an unknown value. One extension type holds its refinements. */
  #unknown(): Unknown {
    const { type, bytes } = this.#reader.extension();
    if (type !== REFINED || bytes.length <= 1) return new Unknown();
    if (bytes.length > MOST_REFINED)
      throw this.#walk.problem("is an unknown value with more than 1 KiB of refinements");
    return new Unknown(bytes);
  }

  #dynamic(kind: Kind): CtyValue {
    this.#expect(kind, "array");
    if (this.#reader.array() !== 2) throw this.#walk.problem("must be a type and a value");
    this.#expect(this.#reader.peek(), "binary");
    const type = parseType(this.#reader.binary());
    if (type === "dynamic") throw this.#walk.problem('must have a concrete type, not "dynamic"');
    return new Dynamic(type, this.#value(type));
  }

  #number(kind: Kind): CtyValue {
    if (kind !== "string") this.#expect(kind, "number");
    const number = kind === "string" ? numberOf(this.#reader.string()) : this.#reader.number();
    if (number === undefined || Number.isNaN(number)) throw this.#walk.problem("is not a number");
    return number;
  }

  #elements(kind: Kind, typeAt: (at: number) => CtyType | undefined, length?: number): CtyValue {
    this.#expect(kind, "array");
    const count = this.#reader.array();
    if (length !== undefined && count !== length)
      throw this.#walk.problem(`must have ${counted(length, "element")}, not ${count}`);
    const values: CtyValue[] = [];
    for (let at = 0; at < count; at++) {
      this.#walk.enter(at);
      values.push(this.#value(typeAt(at) ?? "dynamic"));
      this.#walk.leave();
    }
    return values;
  }

  #map(kind: Kind, type: CtyType): CtyValue {
    return this.#pairs(kind, () => type);
  }

  #object(kind: Kind, types: Readonly<Record<string, CtyType>>, optional: readonly string[]): CtyValue {
    const value = this.#pairs(kind, (name) => (Object.hasOwn(types, name) ? types[name] : undefined));
    const missing = Object.keys(types).filter((name) => !Object.hasOwn(value, name));
    const lacking = missing.find((name) => !optional.includes(name));
    if (lacking !== undefined) throw this.#walk.problem(`lacks "${lacking}"`);
    return missing.length === 0 ? value : { ...value, ...Object.fromEntries(missing.map((name) => [name, null])) };
  }

  #pairs(kind: Kind, typeOf: (name: string) => CtyType | undefined): Readonly<Record<string, CtyValue>> {
    this.#expect(kind, "map");
    const entries: (readonly [string, CtyValue])[] = [];
    for (let left = this.#reader.map(); left > 0; left--) {
      this.#expect(this.#reader.peek(), "string", "has a name that");
      const name = this.#reader.string();
      const type = typeOf(name);
      if (type === undefined) throw this.#walk.problem(`has "${maskedStart(name, 100)}", which its type does not have`);
      this.#walk.enter(name);
      entries.push([name, this.#value(type)]);
      this.#walk.leave();
    }
    // Unlike assignment, this handles names such as `__proto__`.
    return Object.fromEntries(entries);
  }

  #expect(kind: Kind, wanted: Kind, what = ""): void {
    if (kind === wanted) return;
    const found = kind === "nothing" ? "nothing" : `${kind}`;
    throw this.#walk.problem(`${what} must be ${wanted} in MessagePack, but is ${found}`.trimStart());
  }
}

/** True if a value of the type, or a part of it, carries its own type. */
export function hasDynamic(type: CtyType): boolean {
  return typeof type === "string" ? type === "dynamic" : holdsDynamic(type);
}

const holdsDynamic = memoized((type: Exclude<CtyType, string>): boolean => {
  if (type[0] === "tuple") return type[1].some(hasDynamic);
  return type[0] === "object" ? Object.values(type[1]).some(hasDynamic) : hasDynamic(type[1]);
});

/** Returns the value with its exact type. Only null and unknown values in it stay dynamic. */
export function concrete(type: CtyType, value: CtyValue): Dynamic {
  if (value instanceof Dynamic) return concrete(value.type, value.value);
  if (typeof type === "string" || value === null || value instanceof Unknown) return new Dynamic(type, value);
  if (type[0] === "object") {
    const members = Object.entries(type[1]).map(([name, of]) => [name, concrete(of, memberOf(value, name))] as const);
    const types = Object.fromEntries(members.map(([name, member]) => [name, member.type]));
    return new Dynamic(["object", types], recordOf(members.map(([name, member]) => [name, member.value])));
  }
  if (type[0] === "tuple") {
    const elements = type[1].map((of, index) => concrete(of, isList(value) ? (value[index] ?? null) : null));
    return new Dynamic(
      ["tuple", elements.map((element) => element.type)],
      elements.map((element) => element.value),
    );
  }
  return concreteCollection(type[0], type[1], value);
}

/** Elements of a collection have one type: the first exact one. */
function concreteCollection(kind: "list" | "set" | "map", of: CtyType, value: CtyValue): Dynamic {
  if (!hasDynamic(of)) return new Dynamic([kind, of], value);
  if (kind === "map" && isRecord(value)) {
    const members = Object.entries(value).map(([key, member]) => [key, concrete(of, member)] as const);
    const type = firstExact(members.map(([, member]) => member.type)) ?? of;
    return new Dynamic([kind, type], recordOf(members.map(([key, member]) => [key, member.value])));
  }
  const elements = isList(value) ? value.map((element) => concrete(of, element)) : [];
  const type = firstExact(elements.map((element) => element.type)) ?? of;
  return new Dynamic(
    [kind, type],
    elements.map((element) => element.value),
  );
}

function firstExact(types: readonly CtyType[]): CtyType | undefined {
  return types.find((type) => !hasDynamic(type)) ?? types[0];
}

/** Converts a value of an exact type to a type that contains `dynamic`. */
export function withDynamics(type: CtyType, exact: CtyType, value: CtyValue): CtyValue {
  if (value === null || value instanceof Unknown || value instanceof Dynamic || !hasDynamic(type)) return value;
  if (type === "dynamic") return exact === "dynamic" ? value : new Dynamic(exact, value);
  if (typeof type === "string") return value;
  if (type[0] === "object") {
    const types = exact[0] === "object" && typeof exact !== "string" ? exact[1] : {};
    const members = Object.entries(type[1]).map(
      ([name, of]) => [name, withDynamics(of, memberType(types, name) ?? of, memberOf(value, name))] as const,
    );
    return recordOf(members);
  }
  if (isRecord(value)) {
    const inner = elementType(exact, 0);
    const of = elementType(type, 0);
    return recordOf(Object.entries(value).map(([key, member]) => [key, withDynamics(of, inner, member)]));
  }
  if (!isList(value)) return value;
  return value.map((element, index) => withDynamics(elementType(type, index), elementType(exact, index), element));
}
