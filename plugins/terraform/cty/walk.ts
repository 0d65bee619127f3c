import { type CtyType, elementType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

/** A part of a value, one step in. */
export interface Part {
  readonly step: PathStep;
  readonly type: CtyType;
  readonly value: CtyValue;
}

/**
 * Returns the direct parts of a value. Null, unknown and primitive values have none. A dynamic value has those of its
 * own type.
 */
export function partsOf(type: CtyType, value: CtyValue): readonly Part[] {
  if (value instanceof Dynamic) return partsOf(value.type, value.value);
  if (typeof type === "string") return [];
  if (type[0] === "object") {
    if (!isRecord(value)) return [];
    return Object.entries(type[1]).map(([name, of]) => ({ step: name, type: of, value: memberOf(value, name) }));
  }
  if (type[0] === "map") {
    const of = type[1];
    if (!isRecord(value)) return [];
    return Object.entries(value).map(([key, member]) => ({
      step: { element: "string", key },
      type: of,
      value: member,
    }));
  }
  if (!isList(value)) return [];
  return value.map((element, key) => ({
    step: { element: "number", key },
    type: elementType(type, key),
    value: element,
  }));
}

/** Visits a value and all its parts, from the outside in. Does not enter a value for which `visit` returns false. */
export function walk(
  type: CtyType,
  value: CtyValue,
  visit: (path: Path, value: CtyValue, type: CtyType) => boolean,
  path: Path = [],
): void {
  if (!visit(path, value, type)) return;
  for (const part of partsOf(type, value)) walk(part.type, part.value, visit, [...path, part.step]);
}

/** Returns the value at a path; undefined if there is none, or an unknown value is on the way. */
export function valueAt(value: CtyValue, path: Path): CtyValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (value instanceof Dynamic) return valueAt(value.value, path);
  const key = keyOf(step);
  const inner = isList(value) ? value[Number(key)] : isRecord(value) ? memberAt(value, String(key)) : undefined;
  return inner === undefined ? undefined : valueAt(inner, rest);
}

function memberAt(value: { readonly [name: string]: CtyValue }, name: string): CtyValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** True for null of any type. */
export function isNull(value: CtyValue): boolean {
  return value === null || (value instanceof Dynamic && isNull(value.value));
}

/** False for an unknown value. Parts of a known value may be unknown. */
export function isKnown(value: CtyValue): boolean {
  return !(value instanceof Unknown) && !(value instanceof Dynamic && !isKnown(value.value));
}

/** True if no part of the value is unknown. */
export function isWhollyKnown(value: CtyValue): boolean {
  if (value instanceof Unknown) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (isList(value)) return value.every(isWhollyKnown);
  return !isRecord(value) || Object.values(value).every(isWhollyKnown);
}

export function isList(value: CtyValue): value is readonly CtyValue[] {
  return Array.isArray(value);
}

/** True for a map or an object. */
export function isRecord(value: CtyValue): value is { readonly [name: string]: CtyValue } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof Dynamic)
  );
}

/** Returns an own member of a record; null if there is none. */
export function memberOf(value: CtyValue, name: string): CtyValue {
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** Returns a record of entries with any names, even `__proto__`. */
export function recordOf(entries: Iterable<readonly [string, CtyValue]>): { readonly [name: string]: CtyValue } {
  return Object.fromEntries(entries);
}

/** A step into a value: a name of an object, a key of a map, a position of a list, or the element of a set itself. */
export type PathStep = string | number | { readonly element: "string" | "number"; readonly key: string | number };

export type Path = readonly PathStep[];

/** A problem of a value or a part of it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Returns the name, key or position of a step. */
export function keyOf(step: PathStep): string | number {
  return typeof step === "object" ? step.key : step;
}

/** Formats a path for people, e.g. `rule[0].ports` or `tags["a b"]`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.map(keyOf).map(stepText).join("");
}

function stepText(key: string | number, index: number): string {
  if (typeof key === "number") return `[${key}]`;
  if (!word.test(key)) return `[${JSON.stringify(key)}]`;
  return index === 0 ? key : `.${key}`;
}

/** True if one path equals the other, or is the beginning of it. */
export function touches(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => {
    const match = other[index];
    return match !== undefined && String(keyOf(step)) === String(keyOf(match));
  });
}
