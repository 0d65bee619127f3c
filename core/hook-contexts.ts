/** What each hook is given: one object a hook, so that a new field never breaks a plugin. */
import type { EngineOptions } from "./options.js";
import type { Scope } from "./scope/scope.js";
import type { Encoded } from "./state/record.js";
import type { Action, Phase, ResourceRef, RunSummary } from "./vocabulary.js";

export interface OptionsContext {
  readonly appName: string;
  /** What is known so far; members that are `undefined` have been removed. A tap only adds to it. */
  readonly options: EngineOptions;
  /** Where a member came from, when it was not given to `engine()`, e.g. `"--stage"` or `"ENGINE_STAGE"`. */
  readonly origins: Readonly<Partial<Record<keyof EngineOptions, string>>>;
  /** Emitted as `warning` events once observers can hear them. */
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export interface ScopeContext {
  readonly scope: Scope;
}

export interface EncodeContext {
  readonly value: object | symbol;
  /** JSON Pointer of the value inside the slot. */
  readonly path: string;
}

export interface DecodeContext {
  /** The tag, with its `$`. */
  readonly tag: string;
  readonly body: Encoded;
  readonly path: string;
}

export interface KindContext {
  readonly kind: string;
  readonly fqn: string;
}

export interface PropsContext extends ResourceRef {
  readonly scope: Scope;
  /** Assign a new object to change the props; the old one belongs to the program. */
  props: unknown;
}

export interface ApplyContext extends ResourceRef {
  readonly scope: Scope;
  readonly action: Action;
  readonly props: unknown;
  /** Changed paths, as JSON Pointers; empty on create. */
  readonly changes: readonly string[];
  /** The previous output before the handler, the new one after it. */
  readonly output: unknown;
}

export interface ApplyFailedContext extends ApplyContext {
  readonly error: unknown;
}

export interface DeletionContext extends ResourceRef {
  readonly scope: Scope;
  readonly output: unknown;
  /** Why it goes: no longer declared, replaced by a new copy, or destroyed on request. */
  readonly reason: "orphan" | "replaced" | "destroy";
}

export interface PruneItem extends ResourceRef {
  readonly reason: "orphan" | "replaced";
}

export interface PruneContext {
  readonly scope: Scope;
  readonly items: readonly PruneItem[];
  /** Keeps one item, and what it needs, in the state and in the world. */
  keep(item: PruneItem, reason: string): void;
}

export interface FinalizeContext {
  readonly scope: Scope;
  readonly phase: Phase;
  readonly summary: RunSummary;
  readonly errors: readonly unknown[];
}

export interface TunnelContext {
  readonly port: number;
  readonly scope: Scope;
}

export interface CleanupContext {
  readonly scope: Scope;
}
