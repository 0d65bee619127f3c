import { canonicalNumber, isSameNumber } from "../../internal/text/decimal.js";
import { type CtyType, elementType, memberType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { isList, isNull, isRecord, isWhollyKnown, memberOf, recordOf } from "./walk.js";

/**
 * True if both are the same value of the type. Sets have no order, the spelling of numbers does not matter, and all
 * unknown values are equal, whatever their refinements.
 */
export function isEqual(type: CtyType, a: CtyValue, b: CtyValue): boolean {
  if (isNull(a) || isNull(b)) return isNull(a) && isNull(b);
  if (a instanceof Unknown || b instanceof Unknown) return a instanceof Unknown && b instanceof Unknown;
  if (typeof type === "string") return isEqualPrimitive(type, a, b);
  if (type[0] === "object") return sameMembers(type[1], a, b);
  if (type[0] === "map") return isEqualMap(type[1], a, b);
  if (!isList(a) || !isList(b) || a.length !== b.length) return false;
  if (type[0] === "tuple" && type[1].length !== a.length) return false;
  if (type[0] === "set") return fingerprint(type, a) === fingerprint(type, b);
  return a.every((element, index) => isEqual(elementType(type, index), element, b[index] ?? null));
}

function isEqualPrimitive(type: "string" | "number" | "bool" | "dynamic", a: CtyValue, b: CtyValue): boolean {
  if (type === "dynamic")
    return (
      a instanceof Dynamic && b instanceof Dynamic && sameType(a.type, b.type) && isEqual(a.type, a.value, b.value)
    );
  return type === "number" && isNumeric(a) && isNumeric(b) ? isSameNumber(a, b) : a === b;
}

function isNumeric(value: CtyValue): value is number | bigint | string {
  return typeof value === "number" || typeof value === "bigint" || typeof value === "string";
}

function sameMembers(types: Readonly<Record<string, CtyType>>, a: CtyValue, b: CtyValue): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  return Object.entries(types).every(([name, type]) => isEqual(type, memberOf(a, name), memberOf(b, name)));
}

function isEqualMap(type: CtyType, a: CtyValue, b: CtyValue): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(type, memberOf(a, key), memberOf(b, key)))
  );
}

/** True for the same type. Optional members of objects are not compared. */
export function sameType(a: CtyType, b: CtyType): boolean {
  return isTypeFor(a, b) && isTypeFor(b, a);
}

/** True if values of `type` are values of `wanted`: the same type, or any type if `wanted` is `dynamic`. */
export function isTypeFor(type: CtyType, wanted: CtyType): boolean {
  if (wanted === "dynamic") return true;
  if (typeof type === "string" || typeof wanted === "string") return type === wanted;
  if (type[0] !== wanted[0]) return false;
  const [ours, others] = [innerTypes(type), innerTypes(wanted)];
  return (
    ours.size === others.size &&
    [...ours].every(([name, inner]) => {
      const other = others.get(name);
      return other !== undefined && isTypeFor(inner, other);
    })
  );
}

/** Returns the types in a type, by name or position. */
function innerTypes(type: Exclude<CtyType, string>): ReadonlyMap<string | number, CtyType> {
  if (type[0] === "object") return new Map(Object.entries(type[1]));
  return new Map(type[0] === "tuple" ? type[1].entries() : [[0, type[1]]]);
}

/**
 * Returns the elements of a set, each once. Equal elements with unknown values all stay, because they may turn out to
 * differ.
 */
export function setOf(type: CtyType, elements: readonly CtyValue[]): readonly CtyValue[] {
  const seen = new Set<string>();
  return elements.filter((element) => {
    const text = fingerprint(type, element);
    const isFirst = !seen.has(text);
    seen.add(text);
    return isFirst || !isWhollyKnown(element);
  });
}

/**
 * Returns a value with its sets in the order of another one: the value itself if both are one object. Elements that the
 * other one does not have come last.
 */
export function inOrderOf(type: CtyType, value: CtyValue, other: CtyValue): CtyValue {
  if (value === other) return value;
  if (typeof type === "string") {
    const isSame = value instanceof Dynamic && other instanceof Dynamic && sameType(value.type, other.type);
    return isSame ? new Dynamic(value.type, inOrderOf(value.type, value.value, other.value)) : value;
  }
  if (isRecord(value) && isRecord(other)) {
    const members = Object.entries(value).map(([name, member]): [string, CtyValue] => {
      const of = type[0] === "object" ? memberType(type[1], name) : elementType(type);
      return [name, of === undefined ? member : inOrderOf(of, member, memberOf(other, name))];
    });
    return recordOf(members);
  }
  if (!isList(value) || !isList(other)) return value;
  if (type[0] !== "set")
    return value.map((element, index) => inOrderOf(elementType(type, index), element, other[index] ?? null));
  const rest = new Map(value.map((element) => [fingerprint(type[1], element), element]));
  const both = other.filter((element) => rest.delete(fingerprint(type[1], element)));
  return [...both, ...rest.values()];
}

/** Returns a key that two values of a type share if, and only if, they are equal. For elements of sets. */
export function fingerprint(type: CtyType, value: CtyValue): string {
  if (isNull(value)) return "null";
  if (value instanceof Unknown) return "unknown";
  if (value instanceof Dynamic) return `${typeFingerprint(value.type)} ${fingerprint(value.type, value.value)}`;
  if (typeof type === "string") return single(type, value);
  switch (type[0]) {
    case "object":
      return membersText(Object.entries(type[1]).map(([name, of]) => [name, fingerprint(of, memberOf(value, name))]));
    case "map": {
      const of = type[1];
      const members = isRecord(value) ? Object.entries(value) : [];
      return membersText(members.map(([key, member]) => [key, fingerprint(of, member)]));
    }
    case "tuple":
      return `[${type[1].map((of, index) => fingerprint(of, elementAt(value, index))).join()}]`;
    case "list":
    case "set": {
      const [kind, of] = type;
      const elements = isList(value) ? value.map((element) => fingerprint(of, element)) : [];
      return `[${(kind === "set" ? elements.sort() : elements).join()}]`;
    }
  }
}

function elementAt(value: CtyValue, index: number): CtyValue {
  return isList(value) ? (value[index] ?? null) : null;
}

function single(type: "string" | "number" | "bool" | "dynamic", value: CtyValue): string {
  const isNumeric = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  if (type === "number" && isNumeric) return canonicalNumber(value) ?? JSON.stringify(String(value));
  return JSON.stringify(String(value));
}

function membersText(members: readonly (readonly [string, string])[]): string {
  const texts = members.map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${texts.sort().join()}}`;
}

function typeFingerprint(type: CtyType): string {
  if (typeof type === "string") return type;
  if (type[0] === "tuple") return `tuple[${type[1].map(typeFingerprint).join()}]`;
  if (type[0] !== "object") return `${type[0]}[${typeFingerprint(type[1])}]`;
  return `object${membersText(Object.entries(type[1]).map(([name, of]) => [name, typeFingerprint(of)]))}`;
}
