/** What scopes need of the run that they belong to, and what belongs to all of its scopes. */
import type { Called, OngoingWork, Redact, Redaction } from "../base/index.js";
import type { Codec } from "../codec/index.js";
import {
  type Definition,
  type HookCalls,
  INTERNALS,
  type PendingResource,
  type ResolvedOptions,
  type ResourceOptions,
  type Scope,
  type ScopeApp,
} from "../contract/index.js";
import type { Change, Ledger } from "../state/index.js";
import type { CleanupStack } from "./cleanup.js";
import type { DeferredQueue } from "./deferred.js";
import type { RunProgress, ScopeRuns } from "./scope-runs.js";

/** What a generation of declarations knows of its scopes. */
export interface ScopeGeneration {
  /** Data that is being set. */
  readonly ongoing: OngoingWork;
  readonly deferred: DeferredQueue;
  readonly waits: {
    isDeferred(pending: PendingResource<unknown>): boolean;
    rest(pending: PendingResource<unknown>): Promise<void>;
  };
  readonly aliases: {
    /** Scopes that have an earlier name, by the paths that they had under it. */
    readonly heirs: ReadonlyMap<string, Scope>;
    inherit(path: string, heir: Scope): void;
  };
  readonly performer: {
    /** What the program is given for a value that is not known before the run. */
    unknown(name: string): unknown;
  };
  /** How far it is. */
  readonly progress: RunProgress;
  readonly failures: readonly { readonly error: unknown }[];
  /** True where any of it is new. */
  fail(path: string, error: unknown, home?: string): boolean;
  /** True for what is settled in order to be deleted, and for its parts. */
  isSettling(key: string): boolean;
}

export interface ScopeHost extends ScopeApp {
  readonly options: ResolvedOptions;
  readonly calls: HookCalls;
  readonly codec: Codec;
  /** A text as others may see it. */
  readonly redact: Redact;
  /** An error as others may see it. */
  readonly safe: Redaction;
  /** @throws EngineError `INVALID_CALL` before the state is loaded */
  readonly ledger: Ledger;
  readonly generation: ScopeGeneration;
  /** Functions that run in scopes of this generation. */
  readonly runs: ScopeRuns;
  readonly cleanup: CleanupStack;
  /** True while something else runs the cleanup functions when the process ends. */
  readonly cleanupAtExit: boolean;
  /** The state is loaded. */
  readonly isReady: boolean;
  /** From `engine()` to the end of `finalize()`. */
  readonly isLive: boolean;
  /** Resolves once the state is loaded; handlers may rely on it while `engine()` destroys. */
  ready(): Promise<void>;
  /** Begins a new generation of declarations where the last one is finalized; undefined where that is not needed. */
  revive(): Promise<void> | undefined;
  /** Records what has happened. A promise, where the options say that the run waits until it is durable. */
  record(changes: readonly Change[]): Promise<void> | undefined;
  declare(call: {
    readonly scope: Scope;
    readonly definition: Definition;
    readonly id: string;
    readonly props: unknown;
    readonly options: ResourceOptions;
    /** The function that the program has called. */
    readonly called: Called;
  }): PendingResource<unknown>;
  /** Gives a scope what is recorded under its earlier names. */
  enterByAlias(scope: Scope): Promise<void>;
}

export function hostOf(scope: Scope): ScopeHost {
  // Nothing else is ever given to a scope.
  return scope[INTERNALS].app as ScopeHost;
}
