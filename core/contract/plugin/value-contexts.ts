/** What the hooks about values and texts are given. */

import type { Encoded } from "../record.js";
import type { Scope } from "../scope.js";

/** Where a value stands in the state: what can be said of it, and what it can be bound to. */
export interface ValueContext {
  /** uid of the record, or `/` and the path of the scope, that the value belongs to; `@outputs` for what the stage offers. */
  readonly owner: string;
  readonly slot: ValueSlot;
  /** JSON Pointer of the value inside the slot; in `data` it begins with the key. */
  readonly path: string;
  /** The resource or scope, for messages. */
  readonly fqn: string;
  /** The scope whose options hold for it; undefined where a codec is used without an app. */
  readonly scope: Scope | undefined;
}

/** Which of a resource's values a value is in, or data. */
export type ValueSlot = "props" | "output" | "data";

/**
 * Stands for a secret that a handler is about to give, of a type that says so. `encodeValue` is asked about it before the handler
 * runs, at the path of the whole output, and what it answers is recorded nowhere: whoever encrypts secrets throws where it could
 * not encrypt this one.
 */
export const SECRET_TO_COME: unique symbol = Symbol.for("scope-engine/secret-to-come");

/** A value that the codec does not know, and where it stands. */
export interface EncodeContext extends ValueContext {
  /** Or {@link SECRET_TO_COME}. */
  readonly value: object | symbol;
  /** What is recorded at the very same place by now. An answer that is one of these counts as unchanged. */
  before(): readonly Encoded[];
  /** Encodes what the value holds, at the same place. It goes into the answer as it is: what takes time is filled in later. */
  encode(value: unknown): Encoded;
}

/** What a tag stands for. */
export interface Decoded {
  readonly value: unknown;
}

/** A tag that the codec does not know, and where it stands. */
export interface DecodeContext extends ValueContext {
  /** The tag, with its `$`. */
  readonly tag: string;
  readonly body: Encoded;
  /** Decodes what `encode` gave, at the same place. */
  decode(encoded: Encoded): unknown;
}

/** A text on its way to people. */
export interface RedactContext {
  readonly text: string;
}

/** A text that is about to be written where others may read it. */
export interface SealContext {
  readonly text: string;
  /** What the text belongs to: it must not be unsealed for anything else. */
  readonly bound: string;
  readonly scope: Scope;
}

/** A recovery file that was sealed. */
export interface UnsealContext {
  readonly sealed: string;
  readonly bound: string;
  readonly scope: Scope;
}

/** A value that is to be replaced, as a plugin that decodes it sees it, without a scope. */
export type Tagged = Omit<DecodeContext, "decode" | "scope">;

/** Undefined: it stays. */
export type Replace = (value: Tagged) => Encoded | undefined;
