/** What an app is made of. */
import { EngineError, ownVersion, type Redact, type Redaction } from "../base/index.js";
import type { EngineHooks, EngineOptions, EventBus, HookCalls, ResolvedOptions, Scope } from "../contract/index.js";
import type { App, EngineSettings, MakeApp } from "../run/index.js";
import { CHECKPOINT_LIMITS, DEFAULT_TTL, isTtl, LONGEST_TTL } from "../state/index.js";

export interface AppParts {
  readonly options: ResolvedOptions;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly settings: EngineSettings;
  readonly redact: Redact;
  readonly safe: Redaction;
  makeRoot(app: App): Scope;
  /** Another app with the plugins of the same engine, which is not live. */
  readonly detachedApp: MakeApp;
}

/**
 * Another app that is not live, with the plugins of this one, applied once more, and where it runs: nothing of it is ever
 * current, and it takes no part in the run.
 *
 * @param own what it is to be made with besides
 */
export function detachedAppOf(app: App, appName: string, own: EngineOptions): App {
  return app.detachedApp(appName, { ...handedOn(app), ...own });
}

/** The options of an app that another one has, too. */
export function handedOn({ options }: App): EngineOptions {
  const { rootDir, profile, plugins, quiet, json, logger, env, stage, password, key, stateStore, strictState } =
    options;
  // It is no run of its own: nothing is told of it.
  const shared: EngineOptions = { rootDir, profile, plugins, quiet, json, logger, env, strictState, telemetry: false };
  // Arguments are for the run: they name its phase and stage.
  return { ...shared, stage, password, key, stateStore, argv: [] };
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
