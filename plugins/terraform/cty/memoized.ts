/** A function of an object that is computed once for each: schemas and types are large, do not change, and are asked with every value. */
export function memoized<Key extends object, Result>(compute: (key: Key) => Result): (key: Key) => Result {
  const known = new WeakMap<Key, { readonly result: Result }>();
  return (key) => {
    const cached = known.get(key);
    if (cached) return cached.result;
    const result = compute(key);
    known.set(key, { result });
    return result;
  };
}
