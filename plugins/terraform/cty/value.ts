import type { CtyType } from "./type.js";

/** Known after the apply. Refinements are kept as they came, in msgpack, so that they can be handed back. */
export class Unknown {
  constructor(readonly refinements?: Uint8Array) {}
}

/** A value of the type `dynamic`, with the type that it has. */
export class Dynamic {
  constructor(
    readonly type: CtyType,
    readonly value: CtyValue,
  ) {}
}

/**
 * A value as a provider has it, with a provider's names. Lists, sets and tuples are arrays; maps and objects are records.
 * A number that no `number` holds exactly is a `bigint` or, with a fraction, its decimal text.
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
