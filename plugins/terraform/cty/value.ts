import type { CtyType } from "./type.js";

/**
 * A value that is known after the apply. Refinements stay in MessagePack as received, so that they can be sent back.
 */
export class Unknown {
  constructor(readonly refinements?: Uint8Array) {}
}

/** A value of the type `dynamic`, with its actual type. */
export class Dynamic {
  constructor(
    readonly type: CtyType,
    readonly value: CtyValue,
  ) {}
}

/**
 * A value of a provider, with the names of the provider. Lists, sets and tuples are arrays; maps and objects are
 * records. A number that no `number` holds exactly is a `bigint` or, with a fraction, its decimal text.
 */
export type CtyValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Unknown
  | Dynamic
  | readonly CtyValue[]
  | { readonly [name: string]: CtyValue };
