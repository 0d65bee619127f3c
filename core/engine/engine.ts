/**
 * Creates the `engine` function from plugins: hooks, events and options in, a root scope out. Its `up` is a whole run
 * in one call: it opens an app, runs the program in it, and finalizes, or releases everything.
 */
import {
  callSiteOf,
  checkName,
  EngineError,
  monotonicNow,
  type Redact,
  type Redaction,
  type RunSummary,
  redaction,
} from "../base/index.js";
import {
  currentScope,
  type EngineHooks,
  type EngineOptions,
  type EnginePlugin,
  type HookCalls,
  isPendingResource,
  leaveScopes,
  runOutsideScopes,
  Scope,
  type ScopeOptions,
} from "../contract/index.js";
import { destroyTarget } from "../destroy/index.js";
import { checkOptions, dropUndefined, resolveOptions } from "../options/index.js";
import { beforeOpen, createEventBus, createHooks, installPlugins, isRepeatedByHost } from "../plugin/index.js";
import { type App, appOf, type EngineSettings, type MakeApp } from "../run/index.js";
import { runChild } from "../scope/index.js";
import { LiveApp } from "./app.js";
import { completeSettings } from "./app-parts.js";
import { type AttachableControl, runControl } from "./run-control.js";

/** The parts of an engine: its plugins, and the settings of its ledger. */
export interface EngineParts extends Partial<EngineSettings> {
  /** Installed before the plugins that a run's options name. */
  readonly plugins?: readonly EnginePlugin[];
}

/** The value that `engine.up()` resolves with. */
export interface UpResult<T> {
  /** The return value of the program. */
  readonly result: T;
  /** Numbers of resources that were created, updated, and so on, in the completed run. */
  readonly summary: RunSummary;
}

/** The functions of an engine that core provides. */
export interface CoreEngine {
  /**
   * Creates the root scope of an app and makes it the current one.
   *
   * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`, `STATE_LOCKED`, `STATE_CORRUPT`, … and in the
   * phase `destroy` `RUN_FAILED`
   */
  (appName: string, options?: EngineOptions): Promise<Scope>;
  /** Runs a function in a child scope of the current one, made at the first run of its name. */
  run<T>(name: string, fn: (scope: Scope) => Promise<T> | T): Promise<T>;
  run<T>(name: string, options: ScopeOptions, fn: (scope: Scope) => Promise<T> | T): Promise<T>;
  /**
   * Performs a whole run in one call: opens the app, runs `program` in its root scope, and finalizes it. If the program
   * throws, the run ends without pruning, releases the state, and rethrows the error. So nothing stays locked in any
   * case.
   *
   * If another run changes the state after this one has read it, and before this one has changed anything, the engine
   * runs the program again, within `lockTimeout`. That run takes its turn first (`lock: "eager"`). So a program has to
   * tolerate being run again.
   *
   * The code around the call keeps its current scope. Aborting `signal` ends the run as for `engine()`.
   *
   * @returns the program's result, and how many resources were created, updated, and so on
   * @throws the error of `program`, and EngineError as `engine()` and `finalize()` do
   *
   * @example
   * ```ts
   * const { result } = await engine.up("tenants", { stage: "ada", lockTimeout: 60_000 }, async () => {
   *   const database = await Database("main");
   *   return database.name;
   * });
   * ```
   */
  up<T>(appName: string, options: EngineOptions, program: (scope: Scope) => Promise<T> | T): Promise<UpResult<T>>;
  /**
   * Deletes all recorded resources of a stage, in one call. It waits for other runs, and repeats itself, as `up` does.
   * The types of the resources must be defined before. A stage without resources is not an error.
   *
   * @throws EngineError as `engine()` does; RunFailedError for resources that could not be deleted
   *
   * @example
   * ```ts
   * await engine.down("tenants", { stage: "ada", lockTimeout: 60_000 });
   * ```
   */
  down(appName: string, options: Omit<EngineOptions, "phase">): Promise<Pick<UpResult<void>, "summary">>;
  /** Deletes the resources of the current scope now, children first. */
  destroy(): Promise<void>;
  /**
   * Deletes a scope or a resource now, children first. A resource is given by itself or by its output.
   *
   * @throws EngineError `INVALID_CALL` for anything else, `undefined` and `null` included; `DEPENDENTS_LEFT_OUT` if a
   * resource outside of it refers to it, `PROTECTED`; then nothing was deleted
   */
  destroy(target: Scope | PromiseLike<unknown> | object): Promise<void>;
}

/** @param before called with the app at once, before it starts; the promise rejects as `engine()` does */
type OpenApp = (options: EngineOptions, before: (app: App) => void) => Promise<App>;

/** @throws EngineError `INVALID_OPTION` */
export function createEngine({ plugins = [], ...settings }: EngineParts = {}): CoreEngine {
  const complete = completeSettings(settings);
  const open = (appName: string, options: EngineOptions | undefined, before: (app: App) => void): Promise<App> => {
    const control = runControl();
    const rejected = async (error: unknown): Promise<never> => {
      await control.failed(error);
      throw error;
    };
    try {
      const app = makeApp(appName, options, plugins, complete, control);
      before(app);
      return app.start(beforeOpen).then(() => app, rejected);
    } catch (error) {
      return rejected(error);
    }
  };
  const engine = (appName: string, options?: EngineOptions): Promise<Scope> =>
    open(appName, options, (app) => {
      app.repeats = () => isRepeatedByHost(app.root);
      // Before anything is awaited: later the caller's context could not be reached.
      leaveScopes();
    }).then(({ root }) => root);
  const up = <T>(appName: string, options: EngineOptions, program: (scope: Scope) => Promise<T> | T) =>
    runUp((given, before) => open(appName, given, before), options, program);
  const down = async (appName: string, options: EngineOptions) => {
    const { summary } = await up(appName, { ...options, phase: "destroy" }, () => {});
    return { summary };
  };
  return Object.assign(engine, { run: runChild, destroy, up, down });
}

/**
 * Creates an app that is not live until it is started, of an engine of its own: for tools.
 *
 * @throws EngineError as `createEngine` and `engine()` do
 */
export function makeDetachedApp(
  { plugins = [], ...settings }: EngineParts,
  appName: string,
  options: EngineOptions,
): App {
  return makeApp(appName, options, plugins, completeSettings(settings), runControl());
}

function makeApp(
  appName: string,
  options: EngineOptions | undefined,
  builtIn: readonly EnginePlugin[],
  settings: EngineSettings,
  control: AttachableControl,
): App {
  checkName("app name", appName);
  const given = dropUndefined(options);
  checkOptions(given);
  const told: Parts["told"] = { warn: () => {} };
  const made = createHooks((code, message) => told.warn(code, message));
  const redact: Redact = (text) => made.calls.redact.call({ text }).text;
  const safe = redaction(redact);
  const parts: Parts = {
    appName,
    given,
    plugins: [...builtIn, ...(given.plugins ?? [])],
    settings,
    control,
    redact,
    safe,
    told,
    detachedApp: (name, other) => makeApp(name, other, builtIn, settings, runControl()),
    ...made,
  };
  try {
    return runOutsideScopes(() => assemble(parts));
  } catch (error) {
    throw safe(error);
  }
}

interface Parts {
  readonly appName: string;
  readonly given: EngineOptions;
  readonly plugins: readonly EnginePlugin[];
  readonly settings: EngineSettings;
  readonly control: AttachableControl;
  readonly redact: Redact;
  readonly safe: Redaction;
  /** Receives warnings about taps that return promises. */
  readonly told: { warn(code: string, message: string): void };
  readonly detachedApp: MakeApp;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
}

function assemble({ appName, given, plugins, control, hooks, calls, told, ...parts }: Parts): App {
  const events = createEventBus(parts.redact);
  const early: Parameters<typeof events.warn>[] = [];
  // Observers listen once all plugins are installed and the options are known.
  let warn: typeof events.warn = (...warning) => void early.push(warning);
  told.warn = (code, message) => warn(code, message);
  installPlugins(plugins, {
    hooks,
    events: events.source,
    run: control.status,
    control,
    warn: (...warning) => warn(...warning),
    ask: (question, details = [], deletes = []) => control.ask(question, details, deletes),
  });
  const settled = calls.options.call({ appName, options: given, origins: {}, warnings: [] });
  const resolved = resolveOptions(settled, process.cwd());
  if ((resolved.plan || resolved.planFile !== undefined) && !parts.settings.planning)
    throw new EngineError("INVALID_OPTION", "This engine cannot make or apply plans: it was created without planning.");
  const root = { options: resolved, path: "", formerPaths: [], resource: undefined };
  const makeRoot = (app: App): Scope => Scope.make(appName, resolved.stage, undefined, { app, ...root });
  const app = new LiveApp({ ...parts, options: resolved, hooks, calls, events, makeRoot });
  control.attach(app);
  warn = events.warn;
  for (const warning of early) warn(...warning);
  for (const { code, message } of settled.warnings) warn(code, message);
  return app;
}

/**
 * Runs a program. If another run was first, and this one has changed nothing, runs it again, in an app of its own that
 * opens its session first.
 */
async function runUp<T>(
  open: OpenApp,
  options: EngineOptions,
  program: (scope: Scope) => Promise<T> | T,
): Promise<UpResult<T>> {
  if (typeof program !== "function")
    throw new EngineError("INVALID_CALL", "engine.up(appName, options, program) needs a function.");
  let given = options;
  for (let deadline: number | undefined; ; ) {
    let made: App | undefined;
    try {
      const app = await open(given, (opening) => {
        made = opening;
        const until = deadline ?? monotonicNow() + opening.options.lockTimeout;
        deadline = until;
        opening.repeats = () => monotonicNow() < until;
      });
      return await through(app, program);
    } catch (error) {
      if (!made?.isToRepeat || deadline === undefined) throw error;
      given = { ...options, lock: "eager", lockTimeout: Math.max(0, deadline - monotonicNow()) };
    }
  }
}

async function through<T>(app: App, program: (scope: Scope) => Promise<T> | T): Promise<UpResult<T>> {
  let result: T;
  try {
    result = await app.root.run(program);
  } catch (error) {
    await app.dispose();
    throw app.safe(error);
  }
  await app.root.finalize();
  return { result, summary: app.run.summary };
}

/** Implements `engine.destroy()`. */
async function destroy(...targets: readonly unknown[]): Promise<void> {
  // A missing target, such as a misspelt name in app.resources, must not stand for everything.
  const target = targets.length === 0 ? currentScope() : targets[0];
  const scope = scopeOf(target);
  const site = callSiteOf(destroy);
  try {
    await destroyTarget(scope, target, site);
  } catch (error) {
    throw appOf(scope).safe(error);
  }
}

function scopeOf(target: unknown): Scope {
  if (target instanceof Scope) return target;
  return isPendingResource(target) ? target.scope : currentScope();
}
