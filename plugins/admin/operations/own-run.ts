/** Reads or changes a stage for a tool that needs the plugins of an app that is not open. */
import { NOTHING_DONE } from "../../../core/base/index.js";
import type { EngineOptions, EnginePlugin, KeyCommand, StateKey, StateStore } from "../../../core/contract/index.js";
import { detachedAppOf, handedOn, makeDetachedApp, sessionSettings } from "../../../core/engine/index.js";
import type { App } from "../../../core/run/index.js";
import { keyNeeded } from "../../../core/state/index.js";

export interface OwnRun {
  /** Purpose of its session. Only "show" takes no lock and writes nothing. */
  readonly command: "show" | "move" | "recover" | "seal" | "secrets rotate" | "secrets rotate --rekey";
  /** Another stage, with its password or key. Default: that of the app. */
  readonly as?: Pick<EngineOptions, "stage" | "password" | "key"> & { readonly app: string };
  /** Called before the state is loaded. */
  prepare?(own: App): void;
}

/**
 * Loads the state for another app with the same plugins, which never becomes live. Closes its session after the work.
 *
 * @throws EngineError as `engine()` does, and all that the work throws
 */
export async function inOwnRun<T>(
  app: App,
  store: StateStore,
  run: OwnRun,
  work: (own: App) => Promise<T>,
): Promise<T> {
  const phase = run.command === "show" ? "read" : "up";
  const { app: name, ...as } = run.as ?? { app: app.root.appName };
  return worked(detachedAppOf(app, name, { ...ownOptions(app, store), ...as, phase }), store, run, work);
}

/** Like {@link inOwnRun}, with a plugin instead of those of the engine; the plugins of the options stay. */
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

/** Turns JSON events off: they would mix with the results of the tool. */
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
    // A plugin may be able to read records only after it got the scope.
    if (own.calls.scopeCreated.used) await own.calls.scopeCreated.call({ scope: own.root });
    const result = await work(own);
    await ledger.close("done", NOTHING_DONE);
    return result;
  } catch (error) {
    await ledger.close("failed", NOTHING_DONE).catch(() => ledger.letGo());
    throw error;
  }
}

/** Outcome of {@link StageAdmin.recover}. */
export interface Recovered {
  /** One or two sentences about each file that was used. */
  readonly recorded: readonly string[];
  /** The reason why each of the other files was left. */
  readonly left: readonly string[];
}

/** Records the results that the next run would record first. @throws EngineError as `engine()` does */
export async function recoverNow(app: App, store: StateStore): Promise<Recovered> {
  const warnings: { readonly code: string; readonly message: string }[] = [];
  const messages = (code: string): readonly string[] =>
    warnings.flatMap((one) => (one.code === code ? one.message : []));
  const prepare = (own: App): void => own.events.source.on("warning", (warning) => void warnings.push(warning));
  // Loading the state records them.
  await inOwnRun(app, store, { command: "recover", prepare }, async () => {});
  return { recorded: messages("RECOVERED"), left: messages("RECOVERY_LEFT") };
}

/** Options of {@link StageAdmin.seal}. */
export interface SealingOptions {
  /** Called with the number of recorded resources before anything is written; cancels by throwing. */
  approve?(resources: number): Promise<void> | void;
}

/**
 * Seals a state that was never sealed, as it is, with the key that a plugin makes. Returns false if it is already
 * sealed, or nothing is recorded.
 *
 * @throws EngineError `PASSWORD_REQUIRED` if no plugin was given a password or key; else as `engine()` does
 */
export async function sealNow(app: App, store: StateStore, { approve }: SealingOptions): Promise<boolean> {
  if (!sessionSettings(app, store).seal?.isGiven) throw keyNeeded(app.root.chain.join("/"));
  let accepted: string | undefined;
  const accepts: StateKey["accepts"] = async (state) => {
    const digest = state.digest();
    // Asks only once if the same state is loaded again.
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
 * The new password or key that opens the secrets. The present one is the one that the admin was made with (`password`,
 * `key`).
 */
export interface RotationOptions {
  readonly newPassword?: string;
  /** A new key instead of a new password; as the option `key` of `engine()`. */
  readonly newKey?: string | KeyCommand;
  /** Path of the scope whose own password or key changes, e.g. `"tenants/acme"`. Default: the app's. */
  readonly scope?: string;
  /**
   * The present password of that scope, if the app has a password or key as well. The app's is needed too, because it
   * seals the state. Default: the `password` or `key` of the admin.
   */
  readonly scopePassword?: string;
  readonly scopeKey?: string | KeyCommand;
  /** Cost of scrypt (N) for the new key, a power of two from 2^14 to 2^19. Default: 2^17. */
  readonly cost?: number;
}

/** Loads and closes the state once, with the given plugin. */
export type RunWith = (plugin: EnginePlugin) => Promise<void>;
