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

/** What is recorded of a stage, before anything of it is trusted. */
export interface UntrustedState {
  /** Random name of the ledger; undefined while nothing was ever written. */
  readonly lineage: string | undefined;
  /** What a plugin has recorded, by {@link PluginState}. */
  kept(plugin: string, key: string): Encoded | undefined;
  /** Nothing is recorded but what the plugin keeps that records the key. */
  readonly isEmpty: boolean;
  /** How many are recorded. */
  readonly resources: number;
  /** SHA-256 of all that is recorded, in hexadecimal. */
  digest(): string;
}

/** How far the journal of a stage had come: compared by `seq`, then by `lines`. */
export interface SeenPosition {
  readonly lineage: string;
  readonly seq: number;
  readonly lines: number;
  readonly digest: string;
  /** Whether it has seals. */
  readonly isSealed: boolean;
}

/** What is to be thought of a position that was seen. */
export interface SeenState {
  /** Nothing is recorded but what the plugin keeps that records the key. */
  readonly isEmpty: boolean;
  /** False: it has seals that were not verified, so nothing of it is to be remembered. */
  readonly isProven: boolean;
  /** False: a session is open in its newest entry, and of the lines there a power loss may still take all but the first. */
  readonly isLasting: boolean;
  /** Set by a tool that only looks: nobody has agreed to it, so a state that was put back is to be told again the next time. */
  readonly isLook?: boolean;
}

/**
 * What became of the recorded key. "absent": none is recorded. "open": here it is. "waived": what is recorded cannot be
 * proven, and is to be taken as it is, for the one who runs this has said so; the run brings another key.
 */
export type OpenedKey =
  | { readonly is: "absent" }
  | { readonly is: "waived"; readonly why: string }
  | { readonly is: "open"; readonly sealer: Sealer };

/** The key of one stage, for one app. */
export interface StateKey {
  /** False where the run was given nothing that could open one. */
  readonly isGiven: boolean;
  /** Where the key is recorded: the plugin that does so, and its name for it. */
  readonly recorded: { readonly plugin: string; readonly key: string };
  /** Called for each load. @throws EngineError `WRONG_PASSWORD`, … */
  open(state: UntrustedState): OpenedKey | Promise<OpenedKey>;
  /**
   * Asked where a run that was given a key finds a state that was never sealed: whether it is to be taken as it is, and sealed
   * with the next change.
   */
  accepts(state: UntrustedState): boolean | Promise<boolean>;
  /** Told of each position that the run goes on from, or comes to. @throws EngineError `STATE_FORGED`, `STATE_WENT_BACK` */
  seen(position: SeenPosition | undefined, state: SeenState): void | Promise<void>;
}

/** The key of a stage, as far as the ledger needs it. */
export interface Sealer {
  /** Message authentication code of a text, 64 hexadecimal digits. */
  mac(text: string): string;
}
