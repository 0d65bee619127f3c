/** What an app is made of. */

import type { Redact, Redaction, SignalName } from "../base/index.js";
import {
  type EngineHooks,
  type EngineOptions,
  type EventBus,
  type HookCalls,
  INTERNALS,
  type ResolvedOptions,
  type Scope,
  type StateKey,
  type StateKeyContext,
  type StateStore,
} from "../contract/index.js";
import type { App } from "../run/index.js";
import type { EngineSettings } from "./engine-settings.js";
import type { Start } from "./start.js";

export interface AppParts {
  readonly options: ResolvedOptions;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly settings: EngineSettings;
  readonly redact: Redact;
  readonly safe: Redaction;
  makeRoot(app: EngineApp): Scope;
  /** Another app with the plugins of the same engine, which is not live. */
  readonly detachedApp: MakeApp;
}

/** All that belongs to one app: the lifecycle needs a part of it. */
export interface EngineApp extends App {
  readonly settings: EngineSettings;
  readonly detachedApp: MakeApp;
  cleanupAtExit: boolean;
  /** Called where another run was first: true where the caller runs the program again. */
  repeats: () => boolean;
  endedBy: SignalName | undefined;
  /** Waited for when a run has let go of all that it had. */
  beforeRelease: () => Promise<void>;
  /** Called after that, just before `finalize()` settles. */
  released: () => void;
  /** Set if another app reads from this stage. */
  reader: StateKeyContext["reader"];
  /** Says in place of the key of the stage whether a state that was never sealed is sealed as it is. */
  accepts: StateKey["accepts"] | undefined;
  /** Where the state is, as long as the run may use it. */
  chosen: ChosenStore | undefined;
  /** How far `engine()` is; undefined before it has begun. */
  readonly opening: Start | undefined;
  /** True from the call of `finalize()`, or of what ends the run instead. */
  readonly isEnding: boolean;
  /** @param before waited for before the state is loaded */
  start(before?: (root: Scope) => Promise<void> | undefined): Promise<void>;
  /** Resolves when `engine()` does. @throws what that rejected with */
  started(): Promise<void>;
  /** Ends the run without pruning; one that is being finalized just ends, and tells its failures by itself. */
  dispose(end?: (app: EngineApp) => Promise<void>): Promise<void>;
  /** Lets go of the store and of the place among the live apps. */
  release(): Promise<void>;
  /** Reads the state that is in a store; it is all that an app needs that is not live. A session is for a command. */
  load(chosen: ChosenStore, command?: string): Promise<void>;
}

/** @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `PLUGIN_FAILED`, … */
export type MakeApp = (appName: string, options: EngineOptions) => EngineApp;

export function engineAppOf(scope: Scope): EngineApp {
  // Nothing else is ever given to a scope.
  return scope[INTERNALS].app as EngineApp;
}

export interface ChosenStore {
  readonly store: StateStore;
  /** True for a store that was made for this run, and is closed with it. One that was handed over belongs to its maker. */
  readonly isOwn: boolean;
}
