/** Goes on with a value, at once where it is there: each promise costs a turn. */
export function after<T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<Awaited<R>>;
export function after(value: unknown, next: (value: unknown) => unknown): unknown {
  return value instanceof Promise ? value.then(next) : next(value);
}
