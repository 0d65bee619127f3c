/** Encodes and decodes Protocol Buffers messages; the only file that uses their library. */
import type { INamespace, IType, Type } from "protobufjs/light.js";
import { ATTRIBUTE_5, MESSAGES, type MessageName } from "./descriptors.js";

/** Reads and writes the messages of one protocol. */
export interface MessageCodec {
  encode<Name extends MessageName>(name: Name, message: Sent<Name>): Buffer;
  /** @throws if the bytes are not such a message */
  decode<Name extends MessageName>(name: Name, bytes: Uint8Array): Received<Name>;
}

/** Loads the library for messages. */
export async function messageCodec(protocol: 5 | 6): Promise<MessageCodec> {
  const { default: protobuf } = await import("protobufjs/light.js");
  const root = protobuf.Root.fromJSON(descriptor(protocol));
  const types = new Map<MessageName, Type>();
  const typeOf = (name: MessageName): Type => {
    const type = types.get(name) ?? root.lookupType(name);
    types.set(name, type);
    return type;
  };
  return {
    encode: (name, message) => Buffer.from(typeOf(name).encode(message).finish()),
    // The library decodes by the same descriptor that the type is derived from.
    decode: <Name extends MessageName>(name: Name, bytes: Uint8Array) =>
      typeOf(name).decode(bytes) as unknown as Received<Name>,
  };
}

function descriptor(protocol: 5 | 6): INamespace {
  const messages: Readonly<Record<string, Readonly<Record<string, string>>>> =
    protocol === 5 ? { ...MESSAGES, Attribute: ATTRIBUTE_5 } : MESSAGES;
  return { nested: mapped(messages, (fields): IType => ({ fields: mapped(fields, fieldOf) })) };
}

const FIELD = /^(\{)?(\w+)(?:\}|(\[\]))? (\d+)$/;

function fieldOf(text: string): IType["fields"][string] {
  const [, isMap, type = "", isList, id] = FIELD.exec(text) ?? [];
  const field = { type, id: Number(id) };
  // `keyType` makes the field a map.
  if (isMap) return { ...field, keyType: "string" } as typeof field;
  return isList ? { ...field, rule: "repeated" } : field;
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (one: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, to(one)]));
}

/** A number of 64 bits. Some builds of the library have their own type for it. */
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

/** A decoded message. A field that was not sent is empty; a message field is null. */
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

/** A message to encode. An absent field is not sent. */
export type Sent<Name extends MessageName> = {
  readonly [Field in keyof (typeof MESSAGES)[Name]]?: SentField<(typeof MESSAGES)[Name][Field]> | null | undefined;
};

/** Returns a plain number. Versions and counts are small. */
export function integer(value: Int64): number {
  return typeof value === "number" ? value : value.toNumber();
}
