/** A look at a stage, or a change of it, by a tool that needs the plugins of an app which is not open. */
import { NOTHING_DONE } from "../../../core/base/index.js";
import type { EngineOptions, EnginePlugin, KeyCommand, StateKey, StateStore } from "../../../core/contract/index.js";
import { detachedAppOf, handedOn, makeDetachedApp, sessionSettings } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import { keyNeeded } from "../../../core/state/index.js";

export interface OwnRun {
  /** What its session is for. Only "show" takes no lock, and writes nothing. */
  readonly command: "show" | "move" | "recover" | "seal" | "secrets rotate" | "secrets rotate --rekey";
  /** Called before the state is loaded. */
  prepare?(own: App): void;
}

/**
 * Loads the state for another app of the same plugins, which is never live; closes its session when the work is done.
 *
 * @throws EngineError as `engine()` does, and what the work throws
 */
export async function inOwnRun<T>(
  app: App,
  store: StateStore,
  run: OwnRun,
  work: (own: App) => Promise<T>,
): Promise<T> {
  const phase = run.command === "show" ? "read" : "up";
  return worked(detachedAppOf(app, app.root.appName, { ...ownOptions(app, store), phase }), store, run, work);
}

/** As {@link inOwnRun}, with a plugin in the place of those that the engine has; those of the options stay. */
export async function runWith(
  app: App,
  store: StateStore,
  command: OwnRun["command"],
  plugin: EnginePlugin,
): Promise<void> {
  const options = { ...handedOn(app), ...ownOptions(app, store) };
  const own = makeDetachedApp({ plugins: [plugin] }, app.root.appName, options);
  await worked(own, store, { command }, async () => {});
}

/** Events as JSON would be among the results of the tool. */
function ownOptions({ options: { lockTimeout, signal } }: App, stateStore: StateStore): EngineOptions {
  return { stateStore, lockTimeout, signal, json: false, quiet: true };
}

async function worked<T>(
  own: App,
  store: StateStore,
  { command, prepare }: OwnRun,
  work: (own: App) => Promise<T>,
): Promise<T> {
  try {
    prepare?.(own);
    await own.load({ store, isOwn: false }, command);
    return await workIn(own, work);
  } catch (error) {
    throw own.safe(error);
  } finally {
    await own.release();
  }
}

async function workIn<T>(own: App, work: (own: App) => Promise<T>): Promise<T> {
  const { ledger } = own;
  try {
    // What is recorded may be readable only to a plugin that has heard of the scope.
    if (own.calls.scopeCreated.used) await own.calls.scopeCreated.call({ scope: own.root });
    const result = await work(own);
    await ledger.close("done", NOTHING_DONE);
    return result;
  } catch (error) {
    await ledger.close("failed", NOTHING_DONE).catch(() => ledger.letGo());
    throw error;
  }
}

/** What became of what earlier runs could not record. */
export interface Recovered {
  /** What became of each file that was used, a sentence or two each. */
  readonly recorded: readonly string[];
  /** Why each of the others was left. */
  readonly left: readonly string[];
}

/** Records now what the next run would record first. @throws EngineError as `engine()` does */
export async function recoverNow(app: App, store: StateStore): Promise<Recovered> {
  const warnings: { readonly code: string; readonly message: string }[] = [];
  const messages = (code: string): readonly string[] =>
    warnings.flatMap((one) => (one.code === code ? one.message : []));
  const prepare = (own: App): void => own.events.source.on("warning", (warning) => void warnings.push(warning));
  // It is done when the state is loaded.
  await inOwnRun(app, store, { command: "recover", prepare }, async () => {});
  return { recorded: messages("RECOVERED"), left: messages("RECOVERY_LEFT") };
}

/** What is asked before a state is sealed. */
export interface SealingOptions {
  /** Told how many resources are recorded, before anything is written; keeps the state as it is by throwing. */
  approve?(resources: number): Promise<void> | void;
}

/**
 * Seals a state that was never sealed, as it is, by the key that a plugin makes. False: it is sealed already, or nothing is recorded
 * there that could be.
 *
 * @throws EngineError `PASSWORD_REQUIRED` where no plugin was given what opens a key; else as `engine()` does
 */
export async function sealNow(app: App, store: StateStore, { approve }: SealingOptions): Promise<boolean> {
  if (!sessionSettings(app, store).seal?.isGiven) throw keyNeeded(app.root.chain.join("/"));
  let accepted: string | undefined;
  const accepts: StateKey["accepts"] = async (state) => {
    const digest = state.digest();
    // A state that is loaded again is not asked about again.
    if (accepted !== digest) await approve?.(state.resources);
    accepted = digest;
    return true;
  };
  const prepare = (own: App): void => {
    own.accepts = accepts;
  };
  await inOwnRun(app, store, { command: "seal", prepare }, async ({ ledger }) => {
    if (accepted !== undefined) await ledger.commit([], "now");
  });
  return accepted !== undefined;
}

/**
 * What is to open secrets from now on: a password or a key. What opens them at present is what the admin was made with
 * (`password`, `key`).
 */
export interface RotationOptions {
  readonly newPassword?: string;
  /** In place of a new password; as the option `key` of `engine()`. */
  readonly newKey?: string | KeyCommand;
  /** Path of the scope whose own password or key it is, e.g. `"tenants/acme"`. Default: that of the app. */
  readonly scope?: string;
  /**
   * What opens that scope at present, where the app has a password or key besides: that one is needed as well, for it seals the
   * state. Default: the `password` or `key` of the admin.
   */
  readonly scopePassword?: string;
  readonly scopeKey?: string | KeyCommand;
  /** Cost of scrypt (N) for the new key, a power of two from 2^14 to 2^19. Default: 2^17. */
  readonly cost?: number;
}

/** Loads and closes the state once, with this plugin. */
export type RunWith = (plugin: EnginePlugin) => Promise<void>;
