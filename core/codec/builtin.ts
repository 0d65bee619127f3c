/**
 * Tells plain data and instances of built-in classes from instances of other classes. By shape and internal slots
 * instead of `instanceof`, for test runners execute programs in realms of their own.
 */
import { types } from "node:util";

/** How many prototypes a value has: 1 for a plain object, 2 for a Map, one more for each subclass. */
export function prototypeCount(value: object): number {
  let count = 0;
  for (let at: unknown = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) count++;
  return count;
}

export function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return true;
  return prototypeCount(value) === 1 && Object.hasOwn(Object(prototype), "isPrototypeOf");
}

export function isPlainArray(value: object): value is readonly unknown[] {
  return Array.isArray(value) && (Object.getPrototypeOf(value) === Array.prototype || prototypeCount(value) === 2);
}

export function isError(value: object): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/** Name of an object's class, or of a function. */
export function nameOf(value: object): string | undefined {
  const named: unknown = typeof value === "function" ? value : value.constructor;
  return typeof named === "function" && named.name !== "" ? named.name : undefined;
}

/** The first member of an array that is none of its elements, such as the `index` of a match. */
export function memberBeside(list: readonly unknown[]): string | undefined {
  const keys = Object.keys(list);
  const last = keys.at(-1);
  // Elements come first.
  return last === undefined || isElement(last, list) ? undefined : keys.find((key) => !isElement(key, list));
}

function isElement(key: string, { length }: readonly unknown[]): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key;
}
