/** The types of messages, by their descriptors. */
import type { MESSAGES, MessageName } from "./descriptors.js";

/** A number of 64 bits; some builds of the library have a type of their own for it. */
export type Int64 = number | { toNumber(): number };

interface Scalars {
  readonly bytes: Uint8Array;
  readonly string: string;
  readonly bool: boolean;
  readonly int32: number;
  readonly int64: Int64;
}

type ReceivedOne<Type> = Type extends keyof Scalars
  ? Scalars[Type]
  : Type extends MessageName
    ? Received<Type> | null
    : never;

type ReceivedField<Field> = Field extends `{${infer Type}} ${number}`
  ? Readonly<Record<string, NonNullable<ReceivedOne<Type>>>>
  : Field extends `${infer Type}[] ${number}`
    ? readonly NonNullable<ReceivedOne<Type>>[]
    : Field extends `${infer Type} ${number}`
      ? ReceivedOne<Type>
      : never;

/** As it was decoded: what was not sent is empty, or null where it is a message. */
export type Received<Name extends MessageName> = {
  readonly [Field in keyof (typeof MESSAGES)[Name]]: ReceivedField<(typeof MESSAGES)[Name][Field]>;
};

type SentOne<Type> = Type extends keyof Scalars ? Scalars[Type] : Type extends MessageName ? Sent<Type> : never;

type SentField<Field> = Field extends `{${infer Type}} ${number}`
  ? Readonly<Record<string, SentOne<Type>>>
  : Field extends `${infer Type}[] ${number}`
    ? readonly SentOne<Type>[]
    : Field extends `${infer Type} ${number}`
      ? SentOne<Type>
      : never;

/** To be encoded: what is left out is not sent. */
export type Sent<Name extends MessageName> = {
  readonly [Field in keyof (typeof MESSAGES)[Name]]?: SentField<(typeof MESSAGES)[Name][Field]> | null | undefined;
};

/** As a plain number: versions and counts are small. */
export function integer(value: Int64): number {
  return typeof value === "number" ? value : value.toNumber();
}
