/** Reads the outputs of another stage for `engine.ref()`. */

import { checkName, EngineError, isEngineError, unknownValue } from "../../core/base/index.js";
import { currentScope, type KeyCommand } from "../../core/contract/index.js";
import { detachedAppOf } from "../../core/engine/index.js";
import { checkOptions, dropUndefined } from "../../core/options/index.js";
import { type App, appOf, type Run } from "../../core/run/index.js";
import { outputsLocation, readOutputs } from "../../core/scope/index.js";

/** Options of `engine.ref()`. */
export interface ReferenceOptions {
  /** Default: the stage of the current app. */
  readonly stage?: string;
  /**
   * Password of the stage: proves its state and opens the secrets in its outputs. Default: the password of the current
   * app.
   */
  readonly password?: string;
  /** Key of the stage, instead of a password. */
  readonly key?: string | KeyCommand;
  /**
   * True for a stage without a password or key, whose outputs cannot be proven. Without this option, a run that has a
   * password or key refuses such a stage (`STATE_FORGED`). Default: false.
   */
  readonly unsealed?: boolean;
}

/** The stage to read, and the password or key that opens it. */
interface Target {
  readonly appName: string;
  readonly stage: string;
  readonly password: string | undefined;
  readonly key: string | KeyCommand | undefined;
  readonly unsealed: boolean;
}

/** Implements `engine.ref()`. */
export async function refer<T>(appName: string, options?: ReferenceOptions): Promise<T> {
  const app = appOf(currentScope());
  try {
    const target = targetOf(app, appName, options);
    await app.ready();
    // The codec returns the offered value; only the program knows its type.
    return (await readOffered(app, target).catch((error: unknown) => {
      throw isEngineError(error) ? explained(error, target) : error;
    })) as T;
  } catch (error) {
    throw app.safe(error);
  }
}

function targetOf(app: App, appName: string, options: ReferenceOptions | undefined): Target {
  checkName("app name", appName);
  const { unsealed = false, ...openers }: ReferenceOptions = Object(options);
  const given = dropUndefined(openers);
  checkOptions(given);
  const other = Object.keys(given).find((name) => !["stage", "password", "key"].includes(name));
  if (other !== undefined) {
    throw new EngineError(
      "INVALID_OPTION",
      `engine.ref() has no option "${other}". Its options are stage, password, key and unsealed.`,
    );
  }
  const { stage = app.options.stage } = given;
  checkName("stage", stage);
  if (typeof unsealed !== "boolean") throw invalid('The option "unsealed" must be true or false.');
  const isInherited = given.password === undefined && given.key === undefined;
  if (unsealed && !isInherited)
    throw invalid(
      'The option "unsealed" is for a stage without a password or key. Pass either "unsealed" or a password or key, not both.',
    );
  const { password, key } = isInherited ? app.options : given;
  return { appName, stage, password, key, unsealed };
}

function invalid(message: string): EngineError {
  return new EngineError("INVALID_OPTION", `engine.ref(): ${message}`);
}

async function readOffered(app: App, target: Target): Promise<unknown> {
  const source = isOwn(app, target) ? app : await reading(app, target);
  if (source !== app && target.appName === app.root.appName) rememberRead(app.run, target.stage);
  const encoded = readOutputs(source);
  if (encoded !== undefined) return source.codec.decode(encoded, outputsLocation(source));
  dropReading(app, target);
  // A destroy must not fail because the stage that it refers to is already destroyed.
  if (app.options.phase === "destroy") return unknownValue(nameOf(target));
  throw missing(source, target);
}

/** The app's own stage with another password or key is read like another stage: this run may have no valid one. */
function isOwn({ options, root }: App, target: Target): boolean {
  const { password, key } = options;
  return keyOf(target) === keyOf({ ...target, appName: root.appName, stage: root.stage, password, key });
}

/** Other apps, loaded for a run of this one. */
const readings = new WeakMap<Run, Map<string, Promise<App>>>();

/** Other stages of the same app that a run has read. */
const read = new WeakMap<Run, Set<string>>();

function rememberRead(run: Run, stage: string): void {
  const stages = read.get(run) ?? new Set();
  read.set(run, stages.add(stage));
}

/** @internal Returns the other stages of the same app whose outputs the present run has asked for. */
export function stagesRead({ run }: App): readonly string[] {
  return [...(read.get(run) ?? [])];
}

/** Loads each target once. The next call retries a failed load. */
function reading(app: App, target: Target): Promise<App> {
  const { run } = app;
  const known = readings.get(run) ?? new Map<string, Promise<App>>();
  readings.set(run, known);
  const key = keyOf(target);
  const before = known.get(key);
  if (before) return before;
  const loading = load(app, target);
  known.set(key, loading);
  loading.catch(() => known.delete(key));
  // The run closes its store only after all reads from it.
  run.ongoing.keep(loading);
  return loading;
}

/** Drops the loaded app of a target without outputs: it may have some later. */
function dropReading({ run }: App, target: Target): void {
  readings.get(run)?.delete(keyOf(target));
}

/** Loads the state with its own plugins: they decode its values with the data that they keep in it. */
async function load(app: App, { appName, stage, password, key, unsealed }: Target): Promise<App> {
  if (!app.chosen)
    throw new EngineError(
      "NO_SCOPE",
      `engine.ref() comes too late: the run of "${app.root.chain.join("/")}" has ended. Await engine.ref() before finalize(), or in app.run(fn).`,
    );
  const { store } = app.chosen;
  const source = detachedAppOf(app, appName, { phase: "read", stage, password, key, stateStore: store });
  source.reader = { allowsUnsealed: unsealed };
  await source.load({ store, isOwn: false });
  if (source.calls.scopeCreated.used) await source.calls.scopeCreated.call({ scope: source.root });
  return source;
}

/** Replaces password errors of plugins, which give advice for a run of that stage. */
function explained(error: EngineError, target: Target): EngineError {
  const { code } = error;
  if (code !== "WRONG_PASSWORD" && code !== "PASSWORD_REQUIRED") return error;
  const fqn = nameOf(target);
  const isWrong = code === "WRONG_PASSWORD";
  const opener = target.key === undefined ? "password" : "key";
  const what = isWrong
    ? `The given ${opener} does not open the state of "${fqn}"`
    : `A password or a key is needed for the secrets in the outputs of "${fqn}"`;
  const call = `engine.ref(${JSON.stringify(target.appName)}, { stage: ${JSON.stringify(target.stage)}, ${opener} })`;
  const advice = isWrong ? `Pass the ${opener} of that stage` : "Pass the password or key of that stage, for example";
  const message = `${what}. ${advice}: ${call}.`;
  return new EngineError(code, message, { fqn, cause: error });
}

function missing({ ledger, chosen }: App, target: Target): EngineError {
  const fqn = nameOf(target);
  if (!ledger.contents.isEmpty) {
    const message = `"${fqn}" has a state, but its program offers no outputs. Call app.outputs({ … }) in that program, then deploy it again.`;
    return new EngineError("OUTPUTS_MISSING", message, { fqn });
  }
  const where = chosen ? ` in ${chosen.store.location ?? chosen.store.name}` : "";
  const message = `"${fqn}" has no state${where}. Check the names of the app and the stage, or deploy that stage first.`;
  return new EngineError("OUTPUTS_MISSING", message, { fqn });
}

function nameOf({ appName, stage }: Target): string {
  return `${appName}/${stage}`;
}

function keyOf({ appName, stage, password, key, unsealed }: Target): string {
  return JSON.stringify([appName, stage, password, key, unsealed]);
}
