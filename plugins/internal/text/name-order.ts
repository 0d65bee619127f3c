/** The order of names: part by part, and numbers inside them as numbers, so `t2` comes before `t10`. Pure. */

/** Compares two names. To sort many, use {@link byName}. */
export function compare(one: string, other: string): number {
  return compareKeys(keyOf(one), keyOf(other));
}

function compareKeys(one: string, other: string): number {
  return one < other ? -1 : one === other ? 0 : 1;
}

/** Returns the values sorted by name. Computes the sort key of each name only once. */
export function byName<T>(values: readonly T[], nameOf: (value: T) => string): T[] {
  const keyed = values.map((value) => ({ value, key: keyOf(nameOf(value)) }));
  keyed.sort((one, other) => compareKeys(one.key, other.key));
  return keyed.map(({ value }) => value);
}

/** Digits of a number; longer ones, such as hashes, are compared as they are. */
const DIGITS = 18;

/**
 * Returns a text whose order by characters is the order of names. The contents of a scope stay together, and different
 * names have different keys.
 */
function keyOf(name: string): string {
  const key = name.includes("/") ? name.replaceAll("/", "\0") : name;
  return /\d/.test(key) ? key.replace(/\d+/g, numberKey) : key;
}

function numberKey(digits: string): string {
  return `${digits.replace(/^0+/, "").padStart(DIGITS, "0")}\u0001${digits.length}`;
}
