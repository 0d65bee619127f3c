/** One engine at work on one stage: all that stays from one run of it to the next. */
import type { EngineError, Limiter, Redact, Redaction, SignalName } from "../base/index.js";
import type { Codec } from "../codec/index.js";
import {
  type EngineOptions,
  type HookCalls,
  INTERNALS,
  type PendingResource,
  type ResolvedOptions,
  type Scope,
  type ScopeInternals,
  type ScopeMethods,
  type StateKey,
  type StateKeyContext,
  type StateStore,
} from "../contract/index.js";
import type { Change, CheckpointLimits, Ledger } from "../state/index.js";
import type { CleanupStack } from "./deferred.js";
import type { DeclarationCall, Planning } from "./operation.js";
import type { Run } from "./run.js";

type KnownToScopes = ScopeInternals["app"];

export interface App extends KnownToScopes {
  readonly options: ResolvedOptions;
  readonly settings: EngineSettings;
  readonly calls: HookCalls;
  readonly codec: Codec;
  /** A text as others may see it. */
  readonly redact: Redact;
  /** An error as others may see it. */
  readonly safe: Redaction;
  readonly limiter: Limiter;
  readonly cleanup: CleanupStack;
  /** True while something else runs the cleanup functions when the process ends. */
  cleanupAtExit: boolean;
  /** Outputs that resources gave to the program, each with the key of its resource. */
  readonly outputs: WeakMap<object, string>;
  /** The present run, or the last one. */
  readonly run: Run;
  /** @throws EngineError `INVALID_CALL` before the state is loaded */
  readonly ledger: Ledger;
  /** The state is loaded. */
  readonly isReady: boolean;
  /** From `engine()` to the end of `finalize()`. */
  readonly isLive: boolean;
  /** True from the call of `finalize()`, or of what ends the run instead. */
  readonly isEnding: boolean;
  /** True if another run was first and the program is run again: this run is not reported as failed. */
  readonly isToRepeat: boolean;
  /** Called if another run was first: true if the caller runs the program again. */
  repeats: () => boolean;
  /** The signal that ends the process, if one does. */
  endedBy: SignalName | undefined;
  /** The state's store, as long as the run may use it. */
  chosen: ChosenStore | undefined;
  /** Set if another app reads from this stage. */
  reader: StateKeyContext["reader"];
  /** Says in place of the key of the stage whether a state that was never sealed is sealed as it is. */
  accepts: StateKey["accepts"] | undefined;
  /** Waited for when a run has let go of all that it had. */
  beforeRelease: () => Promise<void>;
  /** Called after that, just before `finalize()` settles. */
  released: () => void;
  /** Another app with the plugins of the same engine, which is not live. */
  readonly detachedApp: MakeApp;
  /** How far `engine()` is; undefined before it has begun. */
  readonly opening: Opening | undefined;
  /** @param before waited for before the state is loaded */
  start(before?: (root: Scope) => Promise<void> | undefined): Promise<void>;
  /** Resolves when `engine()` does. @throws what that rejected with */
  started(): Promise<void>;
  /** Resolves once the state is loaded; handlers may rely on it while `engine()` destroys. */
  ready(): Promise<void>;
  /** Reads the state that is in a store; it is all that an app needs that is not live. A session is for a command. */
  load(chosen: ChosenStore, command?: string): Promise<void>;
  /** Begins a new run if the last one is finalized; undefined if that is not needed. */
  revive(): Promise<void> | undefined;
  declare(call: DeclarationCall): PendingResource<unknown>;
  /** Gives a scope what is recorded under its earlier names. */
  enterByAlias(scope: Scope): Promise<void>;
  /** Records what has happened. A promise, if the options say that the run waits until it is durable. */
  record(changes: readonly Change[]): Promise<void> | undefined;
  /** No handler starts from now on; running ones get the signal. */
  interrupt(reason: EngineError, by?: "failure" | "request"): void;
  /** Ends the run without pruning; one that is being finalized just ends, and tells its failures by itself. */
  dispose(end?: (app: App) => Promise<void>): Promise<void>;
  /** Lets go of the store and of the place among the live apps. */
  release(): Promise<void>;
}

export function appOf(scope: Scope): App {
  // Nothing else is ever given to a scope.
  return scope[INTERNALS].app as App;
}

/** @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `PLUGIN_FAILED`, … */
export type MakeApp = (appName: string, options: EngineOptions) => App;

export interface ChosenStore {
  readonly store: StateStore;
  /** True for a store that was made for this run, and is closed with it. One that was handed over belongs to its maker. */
  readonly isOwn: boolean;
}

/** The work of `engine()` for a run. */
export interface Opening {
  /** Settles when the work is done. */
  readonly work: Promise<void>;
  /** True while `engine()` is at work. */
  readonly isOpening: boolean;
  /** True while the program has to wait although the work may be done. */
  readonly isWithheld: boolean;
  /** It is not over before `until` has resolved. False: it is over already. */
  withhold(until: Promise<void>): boolean;
}

/** What an embedding tool or a test may set beside the options; see createEngine. */
export interface EngineSettings {
  /** Milliseconds of silence after which the owner of a session counts as dead; an hour at most. */
  readonly leaseTtl: number;
  /** Checkpoints to keep. */
  readonly checkpoints: number;
  /** Closed checkpoints to keep for people. */
  readonly histories: number;
  /** When a checkpoint is made. */
  readonly limits: CheckpointLimits;
  readonly version: string;
  /** Makes plans, and keeps runs to saved ones. Without it the engine refuses the options `plan` and `planFile`. */
  readonly planning?: Planning;
  /** What methods of a scope do that core leaves to plugins. */
  readonly methods?: Partial<ScopeMethods>;
  /** What the sessions of its apps are recorded as. Default: the phase of the app. */
  readonly command?: string;
}
