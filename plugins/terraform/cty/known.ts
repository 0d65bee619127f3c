import { type CtyValue, Dynamic, Unknown } from "./value.js";

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
