import { type CtyType, elementType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

/** A part of a value, one step in. */
export interface Part {
  readonly step: PathStep;
  readonly type: CtyType;
  readonly value: CtyValue;
}

/** What is directly in a value: nothing in one that is null, unknown or a single one. A dynamic value has what its own type says. */
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

/** Visits a value and all in it, from the outside in. What `visit` answers with false is not entered. */
export function walk(
  type: CtyType,
  value: CtyValue,
  visit: (path: Path, value: CtyValue, type: CtyType) => boolean,
  path: Path = [],
): void {
  if (!visit(path, value, type)) return;
  for (const part of partsOf(type, value)) walk(part.type, part.value, visit, [...path, part.step]);
}

/** What a path leads to; undefined where that is not there. Into what is unknown there is no way. */
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

/** Null, with whichever type. */
export function isNull(value: CtyValue): boolean {
  return value === null || (value instanceof Dynamic && isNull(value.value));
}

/** False for a value that is unknown itself; what is in it may be unknown. */
export function isKnown(value: CtyValue): boolean {
  return !(value instanceof Unknown) && !(value instanceof Dynamic && !isKnown(value.value));
}

/** True where nothing in it is unknown. */
export function isWhollyKnown(value: CtyValue): boolean {
  if (value instanceof Unknown) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (isList(value)) return value.every(isWhollyKnown);
  return !isRecord(value) || Object.values(value).every(isWhollyKnown);
}

export function isList(value: CtyValue): value is readonly CtyValue[] {
  return Array.isArray(value);
}

/** A map or an object. */
export function isRecord(value: CtyValue): value is { readonly [name: string]: CtyValue } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Unknown) &&
    !(value instanceof Dynamic)
  );
}

/** A member of a record by its own name, whatever that is; null where there is none. */
export function memberOf(value: CtyValue, name: string): CtyValue {
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
}

/** A record of any names, `__proto__` too. */
export function recordOf(entries: Iterable<readonly [string, CtyValue]>): { readonly [name: string]: CtyValue } {
  return Object.fromEntries(entries);
}

/** A step into a value: a name of an object, a key of a map, a position of a list, or the element of a set itself. */
export type PathStep = string | number | { readonly element: "string" | "number"; readonly key: string | number };

export type Path = readonly PathStep[];

/** What is to be said of a value, or of a part of it. */
export interface Problem {
  readonly path: Path;
  readonly message: string;
}

const word = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** The name, key or position that a step leads to, whichever way it is written. */
export function keyOf(step: PathStep): string | number {
  return typeof step === "object" ? step.key : step;
}

/** A path as people read it, e.g. `rule[0].ports` or `tags["a b"]`; empty for the value itself. */
export function pathText(path: Path): string {
  return path.map(keyOf).map(stepText).join("");
}

function stepText(key: string | number, index: number): string {
  if (typeof key === "number") return `[${key}]`;
  if (!word.test(key)) return `[${JSON.stringify(key)}]`;
  return index === 0 ? key : `.${key}`;
}

/** True where one path leads to, into, or around what the other leads to. */
export function touches(one: Path, other: Path): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length).every((step, index) => {
    const match = other[index];
    return match !== undefined && String(keyOf(step)) === String(keyOf(match));
  });
}
