/** What the hooks are given that encode and decode values. */
import type { Scope } from "./scope/scope.js";
import type { Encoded } from "./state/record.js";

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

/** A value that the codec does not know, and where it stands. */
export interface EncodeContext extends ValueContext {
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
