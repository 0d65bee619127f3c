/** One engine running on one stage: the parts that stay from one run to the next. */
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
  /** Masks secrets in a text. */
  readonly redact: Redact;
  /** Masks secrets in an error. */
  readonly safe: Redaction;
  readonly limiter: Limiter;
  readonly cleanup: CleanupStack;
  /** True while another component runs the cleanup functions when the process ends. */
  cleanupAtExit: boolean;
  /** Outputs that resources returned to the program, with the keys of the resources. */
  readonly outputs: WeakMap<object, string>;
  /** The present run, or the last one. */
  readonly run: Run;
  /** @throws EngineError `INVALID_CALL` before the state is loaded */
  readonly ledger: Ledger;
  /** True once the state is loaded. */
  readonly isReady: boolean;
  /** True from `engine()` to the end of `finalize()`. */
  readonly isLive: boolean;
  /** True from the call of `finalize()`, or of another function that ends the run. */
  readonly isEnding: boolean;
  /** True if another run was first and the program runs again: this run is not reported as failed. */
  readonly isToRepeat: boolean;
  /** Called if another run was first; returns true if the caller runs the program again. */
  repeats: () => boolean;
  /** The signal that ends the process, if any. */
  endedBy: SignalName | undefined;
  /** The store of the state, as long as the run may use it. */
  chosen: ChosenStore | undefined;
  /** Set if another app reads from this stage. */
  reader: StateKeyContext["reader"];
  /** Decides in place of the stage's key if a state that was never sealed is sealed as it is. */
  accepts: StateKey["accepts"] | undefined;
  /** Loaded for a run that makes a plan or keeps to one. */
  planning: Planning | undefined;
  /** Awaited when a run has released all that it held. */
  beforeRelease: () => Promise<void>;
  /** Called after that, just before `finalize()` settles. */
  released: () => void;
  /** Creates another app with the plugins of the same engine, which is not live. */
  readonly detachedApp: MakeApp;
  /** Progress of `engine()`; undefined before it has begun. */
  readonly opening: Opening | undefined;
  /** @param before awaited before the state is loaded */
  start(before?: (root: Scope) => Promise<void> | undefined): Promise<void>;
  /** Resolves when `engine()` does. @throws its error */
  started(): Promise<void>;
  /** Resolves once the state is loaded; handlers may rely on it while `engine()` destroys. */
  ready(): Promise<void>;
  /** Reads the state from a store; an app that is not live needs nothing else. The session is for `command`. */
  load(chosen: ChosenStore, command?: string): Promise<void>;
  /** Begins a new run if the last one is finalized; undefined if that is not needed. */
  revive(): Promise<void> | undefined;
  declare(call: DeclarationCall): PendingResource<unknown>;
  /** Gives a scope the records and data under its earlier names. */
  enterByAlias(scope: Scope): Promise<void>;
  /** Records results. Returns a promise if the options say that the run waits until they are durable. */
  record(changes: readonly Change[]): Promise<void> | undefined;
  /** Starts no more handlers; running ones get the signal. */
  interrupt(reason: EngineError, by?: "failure" | "request"): void;
  /** Ends the run without pruning. A run that is being finalized just ends, and reports its failures itself. */
  dispose(end?: (app: App) => Promise<void>): Promise<void>;
  /** Releases the store and the place among the live apps. */
  release(): Promise<void>;
}

export function appOf(scope: Scope): App {
  // No other object is ever given to a scope.
  return scope[INTERNALS].app as App;
}

/** @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `PLUGIN_FAILED`, … */
export type MakeApp = (appName: string, options: EngineOptions) => App;

export interface ChosenStore {
  readonly store: StateStore;
  /**
   * True for a store that was created for this run and is closed with it. A store that was passed in belongs to its
   * creator.
   */
  readonly isOwn: boolean;
}

/** The work of `engine()` for a run. */
export interface Opening {
  /** Settles when the work is done. */
  readonly work: Promise<void>;
  /** True while `engine()` is running. */
  readonly isOpening: boolean;
  /** True while the program has to wait although the work may be done. */
  readonly isWithheld: boolean;
  /** Delays its end until `until` has resolved. Returns false if it is over already. */
  withhold(until: Promise<void>): boolean;
}

/** Settings for an embedding tool or a test, in addition to the options; see createEngine. */
export interface EngineSettings {
  /** Milliseconds of silence after which the owner of a session counts as dead; an hour at most. */
  readonly leaseTtl: number;
  /** Number of checkpoints to keep. */
  readonly checkpoints: number;
  /** Number of closed checkpoints to keep for display. */
  readonly histories: number;
  /** Thresholds for making a checkpoint. */
  readonly limits: CheckpointLimits;
  readonly version: string;
  /**
   * Loads the part that makes plans and keeps runs to saved ones. Without it the engine refuses the options `plan` and
   * `planFile`.
   */
  readonly planning?: () => Promise<Planning>;
  /** Methods of scopes that core leaves to plugins. */
  readonly methods?: Partial<ScopeMethods>;
  /** Command name in the sessions of its apps. Default: the phase of the app. */
  readonly command?: string;
}
