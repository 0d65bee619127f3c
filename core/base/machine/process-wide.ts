/**
 * A value that all copies of this package in one process share: a project whose tree holds several copies still has
 * one current scope and one set of resource kinds. The name carries the version of the value's shape.
 */
export function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(`scope-engine/${name}`);
  const existing: unknown = Reflect.get(globalThis, key);
  if (existing !== undefined) return existing as T;
  const made = make();
  Reflect.set(globalThis, key, made);
  return made;
}
