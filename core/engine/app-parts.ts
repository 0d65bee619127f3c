/** The parts that an app is made of: its input, its settings, and the methods of its scopes. */
import {
  checkName,
  EngineError,
  ownVersion,
  problemWith,
  type Redact,
  type Redaction,
  type Rule,
  RunFailedError,
  wholeFrom,
} from "../base/index.js";
import {
  type EngineHooks,
  type EngineOptions,
  type EventBus,
  formerKeysIn,
  type HookCalls,
  INTERNALS,
  keyIn,
  type ResolvedOptions,
  type ResourceRecord,
  type Scope,
  type ScopeMethods,
} from "../contract/index.js";
import { type App, appOf, type EngineSettings, type MakeApp } from "../run/index.js";
import { addCleanup, deferIn, deleteData, getData, homeOf, runScope, setData, setOutputs } from "../scope/index.js";
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
  /** Creates another app with the plugins of the same engine, which is not live. */
  readonly detachedApp: MakeApp;
}

/**
 * Creates another app that is not live, with the plugins of this one applied once more, and the same location. It is
 * never current, and takes no part in the run.
 *
 * @param own further options for it
 */
export function detachedAppOf(app: App, appName: string, own: EngineOptions): App {
  return app.detachedApp(appName, { ...handedOn(app), ...own });
}

/** Returns the options that a detached app shares with this one. */
export function handedOn({ options }: App): EngineOptions {
  const { rootDir, profile, plugins, quiet, json, logger, env, stage, password, key, stateStore, strictState } =
    options;
  // It is not a run of its own, so no telemetry is sent for it.
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

const TTL: Rule = {
  allowed: `a number of milliseconds above 0 and at most ${LONGEST_TTL}`,
  accepts: isTtl,
  showable: true,
};

/** @throws EngineError `INVALID_OPTION` */
export function completeSettings(settings: Partial<EngineSettings>): EngineSettings {
  const { leaseTtl = DEFAULTS.leaseTtl, checkpoints = DEFAULTS.checkpoints, histories = DEFAULTS.histories } = settings;
  checkSetting("leaseTtl", TTL, leaseTtl);
  checkSetting("checkpoints", wholeFrom(1), checkpoints);
  checkSetting("histories", wholeFrom(0), histories);
  return {
    ...DEFAULTS,
    // Read with the first run: an import alone needs no file.
    get version() {
      return ownVersion();
    },
    ...settings,
    leaseTtl,
    checkpoints,
    histories,
  };
}

function checkSetting(name: keyof EngineSettings, rule: Rule, value: unknown): void {
  const problem = problemWith(rule, value);
  if (problem !== undefined) throw new EngineError("INVALID_OPTION", `Option "${name}" of createEngine() ${problem}.`);
}

// The methods of scopes, from other modules and from plugins.

/** @param more methods of plugins */
export function scopeMethods(more: Partial<ScopeMethods> | undefined): ScopeMethods {
  return more ? { ...OWN, ...more } : OWN;
}

const OWN: ScopeMethods = Object.freeze<ScopeMethods>({
  has: hasOutput,
  get: (scope, key) => getData(homeOf(scope), key),
  set: (scope, key, value) => setData(homeOf(scope), key, value),
  delete: (scope, key) => deleteData(homeOf(scope), key),
  outputs: setOutputs,
  run: runScope,
  defer: deferIn,
  exec: (scope) => missing(scope, "exec"),
  spawn: (scope) => missing(scope, "spawn"),
  openTunnel: (scope) => missing(scope, "openTunnel"),
  onCleanup: addCleanup,
  dispose: disposeScope,
});

/** Core has no processes and no network. */
async function missing(scope: Scope, method: string): Promise<never> {
  throw new EngineError(
    "INVALID_CALL",
    `"${scope.chain.join("/")}" belongs to an engine without ${method}(). Use engine from "scope-engine".`,
  );
}

/** True if an output is recorded for `id` in a scope and, if `type` is given, is of that kind. */
async function hasOutput(scope: Scope, id: string, type?: string): Promise<boolean> {
  const app = appOf(scope);
  checkName("id", id);
  await app.ready();
  const keys = [keyIn(scope, id), ...formerKeysIn(scope, id)];
  const record = keys.reduce<ResourceRecord | undefined>((found, key) => found ?? app.ledger.read(key), undefined);
  return record?.output !== undefined && (type === undefined || record.kind === type);
}

/** Ends an `await using`, without pruning. */
async function disposeScope(scope: Scope): Promise<void> {
  if (!scope.parent) return scope[INTERNALS].app.dispose();
  try {
    await scope.finalize();
  } catch (error) {
    // It fails the root's finalize as well; here it would hide an earlier error.
    if (!(error instanceof RunFailedError)) throw error;
  }
}
