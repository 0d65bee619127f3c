/** Values that go in and out whole: never searched for promises. */
export type Leaf =
  | null
  | undefined
  | boolean
  | number
  | string
  | bigint
  | symbol
  | Date
  | URL
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never[]) => unknown);

/** What a program may pass for `T`: the value, or promises of it or of parts of it at any depth. */
export type Input<T> =
  | T
  | PromiseLike<T>
  | (T extends Leaf
      ? never
      : T extends readonly (infer E)[]
        ? readonly Input<E>[]
        : T extends object
          ? { readonly [K in keyof T]: {} extends Pick<T, K> ? Input<T[K]> | undefined : Input<T[K]> }
          : never);
