import { elementType } from "./element-type.js";
import { fingerprint } from "./fingerprint.js";
import { isList, isNull, isRecord, memberOf } from "./known.js";
import { isSameNumber } from "./number.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

/**
 * True where both are the same value of the type: sets have no order, numbers are what they say however they are written, and
 * an unknown value is like any other one, refinements aside.
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

/** True for the same type; which members of an object may be left out is not part of it. */
export function sameType(a: CtyType, b: CtyType): boolean {
  return isTypeFor(a, b) && isTypeFor(b, a);
}

/** True for a type of values that can stand where another is wanted: the same one, or any where that is `dynamic`. */
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

/** The types in a type, by name or position. */
function innerTypes(type: Exclude<CtyType, string>): ReadonlyMap<string | number, CtyType> {
  if (type[0] === "object") return new Map(Object.entries(type[1]));
  return new Map(type[0] === "tuple" ? type[1].entries() : [[0, type[1]]]);
}
