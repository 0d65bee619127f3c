export const WHOLE: unique symbol = Symbol.for("scope-engine/whole");

/** Marks a class whose instances go in and out whole. */
export interface Whole {
  readonly [WHOLE]: true;
}

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
  | Whole
  | ((...args: never[]) => unknown);

/** What a program may pass for `T`: the value, or promises of it or of parts of it at any depth. */
export type Input<T> =
  | T
  | PromiseLike<T>
  | (T extends Leaf
      ? never
      : T extends readonly unknown[]
        ? { readonly [K in keyof T]: Input<T[K]> }
        : T extends object
          ? { readonly [K in keyof T]: {} extends Pick<T, K> ? Input<T[K]> | undefined : Input<T[K]> }
          : never);

/** Names on the way down; `*` stands for any. */
export type PropPath = readonly string[];
