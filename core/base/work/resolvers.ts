/** A promise that is settled from outside: what `Promise.withResolvers()` of later versions of Node gives. */
export interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason: unknown) => void;
}

export function withResolvers<T>(): Resolvers<T> {
  let resolve: Resolvers<T>["resolve"] = () => {};
  let reject: Resolvers<T>["reject"] = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
