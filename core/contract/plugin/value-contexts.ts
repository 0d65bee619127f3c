/** Contexts of the hooks for values and texts. */
import type { Encoded } from "../record.js";
import type { Scope } from "../scope.js";

/** The place of a value in the state. A plugin may bind the value to it. */
export interface ValueContext {
  /**
   * Uid of the record, or `/` and the path of the scope, that the value belongs to; `@outputs` for the outputs of the
   * stage.
   */
  readonly owner: string;
  readonly slot: ValueSlot;
  /** JSON Pointer of the value inside the slot; in `data` it begins with the key. */
  readonly path: string;
  /** Name of the resource or scope, for messages. */
  readonly fqn: string;
  /** Scope whose options apply to the value; undefined if a codec is used without an app. */
  readonly scope: Scope | undefined;
}

/** The slot of a value: a resource's props or output, or data. */
export type ValueSlot = "props" | "output" | "data";

/**
 * Placeholder for a secret that a handler is about to return, for types that declare it. `encodeValue` is called for it
 * before the handler runs, at the path of the whole output. Its answer is not recorded: a plugin that encrypts secrets
 * throws if it could not encrypt this one.
 */
export const SECRET_TO_COME: unique symbol = Symbol.for("scope-engine/secret-to-come");

/** A value that the codec does not know, and its place. */
export interface EncodeContext extends ValueContext {
  /** Value to encode, or {@link SECRET_TO_COME}. */
  readonly value: object | symbol;
  /** Returns the values recorded at this place. An answer that equals one of them counts as unchanged. */
  before(): readonly Encoded[];
  /**
   * Encodes an inner value, at the same place. Put the result into the answer as it is: parts that take time are filled
   * in later.
   */
  encode(value: unknown): Encoded;
}

/** The value of a tag. */
export interface Decoded {
  readonly value: unknown;
}

/** A tag that the codec does not know, and its place. */
export interface DecodeContext extends ValueContext {
  /** Tag, with its `$`. */
  readonly tag: string;
  readonly body: Encoded;
  /** Decodes a result of `encode`, at the same place. */
  decode(encoded: Encoded): unknown;
}

/** A text that people will read. */
export interface RedactContext {
  readonly text: string;
}

/** A text that is about to be written to a place that others may read. */
export interface SealContext {
  readonly text: string;
  /** Name of the owner of the text: it must not be unsealed for any other. */
  readonly bound: string;
  readonly scope: Scope;
}

/** A sealed recovery file. */
export interface UnsealContext {
  readonly sealed: string;
  readonly bound: string;
  readonly scope: Scope;
}

/** A value that may be replaced, with the context of its decoding plugin, without a scope. */
export type Tagged = Omit<DecodeContext, "decode" | "scope">;

/** Returns the new value, or undefined to keep the old one. */
export type Replace = (value: Tagged) => Encoded | undefined;

/** The recorded state of a stage, before any of it is trusted. */
export interface UntrustedState {
  /** Random id of the ledger; undefined until something is written. */
  readonly lineage: string | undefined;
  /** Returns a value that a plugin has recorded with {@link PluginState}. */
  kept(plugin: string, key: string): Encoded | undefined;
  /** True if nothing is recorded except the values of the plugin that records the key. */
  readonly isEmpty: boolean;
  /** Number of recorded resources. */
  readonly resources: number;
  /** Returns the SHA-256 of everything that is recorded, in hexadecimal. */
  digest(): string;
}

/** A position in the journal of a stage, compared by `seq`, then by `lines`. */
export interface SeenPosition {
  readonly lineage: string;
  readonly seq: number;
  readonly lines: number;
  readonly digest: string;
  /** True if the journal has seals. */
  readonly isSealed: boolean;
}

/** Trustworthiness of a position that was read. */
export interface SeenState {
  /** True if nothing is recorded except the values of the plugin that records the key. */
  readonly isEmpty: boolean;
  /** False if its seals were not verified, so that nothing of it may be remembered. */
  readonly isProven: boolean;
  /** False if a session is open in its newest entry: a power loss may still remove all lines there but the first. */
  readonly isLasting: boolean;
  /**
   * Set by a tool that only reads. No run has accepted the state, so a state that was put back is reported again the
   * next time.
   */
  readonly isLook?: boolean;
}

/**
 * Result of opening the recorded key.
 *
 * - "absent": no key is recorded
 * - "open": the key was opened
 * - "waived": the recorded key cannot be proven and is accepted as it is, because the user said so; the run brings
 *   another key
 */
export type OpenedKey =
  | { readonly is: "absent" }
  | { readonly is: "waived"; readonly why: string }
  | { readonly is: "open"; readonly sealer: Sealer };

/** The key of one stage, for one app. */
export interface StateKey {
  /** False if the run was given nothing that could open a key. */
  readonly isGiven: boolean;
  /** Place of the recorded key: the plugin that records it, and its name for it. */
  readonly recorded: { readonly plugin: string; readonly key: string };
  /** Opens the recorded key, for each load. @throws EngineError `WRONG_PASSWORD`, … */
  open(state: UntrustedState): OpenedKey | Promise<OpenedKey>;
  /** Decides whether a run with a key accepts a state that was never sealed, and seals it with the next change. */
  accepts(state: UntrustedState): boolean | Promise<boolean>;
  /**
   * Called with each position that the run starts from or reaches. @throws EngineError `STATE_FORGED`,
   * `STATE_WENT_BACK`
   */
  seen(position: SeenPosition | undefined, state: SeenState): void | Promise<void>;
}

/** The key of a stage, in the form that the ledger uses. */
export interface Sealer {
  /** Returns the message authentication code of a text, 64 hexadecimal digits. */
  mac(text: string): string;
}
