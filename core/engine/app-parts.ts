/** What an app is made of. */
import { EngineError, ownVersion, type Redact, type Redaction, type SignalName } from "../base/index.js";
import {
  type EngineHooks,
  type EngineOptions,
  type EventBus,
  type HookCalls,
  INTERNALS,
  type ResolvedOptions,
  type Scope,
  type ScopeMethods,
  type StateKey,
  type StateKeyContext,
  type StateStore,
} from "../contract/index.js";
import type { App, Planning } from "../run/index.js";
import { CHECKPOINT_LIMITS, type CheckpointLimits, DEFAULT_TTL, isTtl, LONGEST_TTL } from "../state/index.js";
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

/**
 * Another app that is not live, with the plugins of this one, applied once more, and where it runs: nothing of it is ever
 * current, and it takes no part in the run.
 *
 * @param own what it is to be made with besides
 */
export function detachedAppOf(app: EngineApp, appName: string, own: EngineOptions): EngineApp {
  return app.detachedApp(appName, { ...handedOn(app), ...own });
}

/** The options of an app that another one has, too. */
export function handedOn({ options }: EngineApp): EngineOptions {
  const { rootDir, profile, plugins, quiet, json, logger, env, stage, password, key, stateStore, strictState } =
    options;
  // It is no run of its own: nothing is told of it.
  const shared: EngineOptions = { rootDir, profile, plugins, quiet, json, logger, env, strictState, telemetry: false };
  // Arguments are for the run: they name its phase and stage.
  return { ...shared, stage, password, key, stateStore, argv: [] };
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

const DEFAULTS: Omit<EngineSettings, "version"> = {
  leaseTtl: DEFAULT_TTL,
  checkpoints: 3,
  histories: 10,
  limits: CHECKPOINT_LIMITS,
};

/** @throws EngineError `INVALID_OPTION` */
export function completeSettings(settings: Partial<EngineSettings>): EngineSettings {
  const complete: EngineSettings = {
    ...DEFAULTS,
    // Read with the first run: an import alone needs no file.
    get version() {
      return ownVersion();
    },
    ...settings,
  };
  const { leaseTtl } = complete;
  if (isTtl(leaseTtl)) return complete;
  throw new EngineError(
    "INVALID_OPTION",
    `Option "leaseTtl" must be a number of milliseconds above 0, ${LONGEST_TTL} at most; it is ${String(leaseTtl)}.`,
  );
}
