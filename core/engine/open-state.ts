/**
 * Opens the state of an app's stage: chooses the store, ends runs that this process has left open, and loads the
 * ledger.
 */
import { ciCommit, ciRun, EngineError, everywhere, identity, messageOf, NOTHING_DONE } from "../base/index.js";
import {
  isForeignKeyv,
  type KeyvLike,
  liveRoots,
  type StateContext,
  type StateKey,
  type StateStore,
  type StateStoreOption,
  type StoreContext,
} from "../contract/index.js";
import { describeNoStore, isStore } from "../options/index.js";
import { type App, appOf, type ChosenStore } from "../run/index.js";
import { aroundStore, KeptData, Ledger, type OneShotSettings, rewritten, sealed } from "../state/index.js";
import { leaveRun, runInfo } from "./finalize.js";

/** @throws EngineError `INVALID_OPTION` if neither the options nor a plugin provide a store */
export async function chooseStore(app: App): Promise<ChosenStore> {
  const { store, isOwn } = await storeOf(app, app.options.stateStore);
  const { storeRequest } = app.calls;
  if (!storeRequest.used) return { store, isOwn };
  const run = app.run.id;
  return { store: aroundStore(store, (request, make) => storeRequest.call({ ...request, run }, make)), isOwn };
}

/** Returns the store that an option means. @throws EngineError `INVALID_OPTION`, `STORE_FAILED` */
export async function storeOf(app: App, option: StateStoreOption | undefined): Promise<ChosenStore> {
  if (option === undefined || typeof option === "string") return chosenByPlugin(app, option);
  if (typeof option === "function") {
    const store = made(option, contextOf(app));
    return { store: checked(store, "The value that the stateStore function returned"), isOwn: true };
  }
  if (isForeignKeyv(option)) return chosenByPlugin(app, option);
  return { store: checked(option, "The value of stateStore"), isOwn: false };
}

async function chosenByPlugin(app: App, option: string | KeyvLike | undefined): Promise<ChosenStore> {
  const given = typeof option === "string" ? { url: option } : { keyv: option };
  const store = await app.calls.stateStore.call({ ...contextOf(app), ...given });
  if (store) return { store: checked(store, "The value that a plugin returned as the state store"), isOwn: true };
  const what =
    option === undefined ? "There is no state store" : "No plugin can make a store from the given stateStore";
  throw new EngineError(
    "INVALID_OPTION",
    `${what}. ${option === undefined ? "Pass { stateStore }" : "Pass a store"}, or install a plugin that chooses one.`,
  );
}

function contextOf({ options, root, events }: App): StoreContext {
  const { rootDir, profile, env = process.env } = options;
  const warn = (code: string, message: string): void => events.warn(code, message);
  return { appName: root.appName, stage: root.stage, rootDir, profile, env, warn };
}

/** @param what begins the message */
function checked(store: unknown, what: string): StateStore {
  if (isStore(store)) return store;
  throw new EngineError("INVALID_OPTION", `${what} is not a store but ${describeNoStore(store)}.`);
}

function made(make: (context: StoreContext) => StateStore, context: StoreContext): StateStore {
  try {
    return make(context);
  } catch (error) {
    throw notMade(error);
  }
}

function notMade(cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  return new EngineError("STORE_FAILED", `The state store could not be created: ${messageOf(cause)}`, { cause });
}

/**
 * @param command purpose of its session
 * @throws everything that {@link Ledger.open} throws, and a tap of `stateLoaded`
 */
export async function openLedger(app: App, store: StateStore, command: string): Promise<Ledger> {
  const { options, calls, settings, root } = app;
  const { preflight } = app.run;
  const opened = Ledger.open({
    ...sessionSettings(app, store),
    rootDir: options.rootDir,
    writes: options.phase !== "read" && !options.plan,
    command,
    limits: settings.limits,
    loaded: async (ledger) => {
      if (ledger.seal === "locked")
        preflight.add(() => Promise.reject(sealed({ app: root.appName, stage: root.stage })), LOOKS_PASS);
      if (calls.stateLoaded.used) await calls.stateLoaded.call(stateContext(app, ledger));
    },
    preflight: () => preflight.run(),
    leftBehind: (session) => leftBehind(app, session),
    recoveryCipher: {
      seal: (text, bound) => seal(app, text, bound),
      unseal: (sealed, bound) => unseal(app, sealed, bound),
    },
    broken: (error) => app.interrupt(asEngineError(error, "written")),
  });
  return opened.catch((error: unknown) => {
    throw asEngineError(error, "read");
  });
}

/** An unverified state can be inspected. */
const LOOKS_PASS = { forReads: false };

/**
 * Opening may have recorded results of an earlier run: a run that then does not begin must not keep the stage locked.
 */
export async function closedOnFailure(ledger: Ledger, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    await ledger.close("failed", NOTHING_DONE).catch(() => ledger.letGo());
    throw error;
  }
}

/** Returns the location of an app's state and the settings of its sessions, for runs and tools. */
export function sessionSettings(app: App, store: StateStore): OneShotSettings {
  const { options, root, events, signal, run, settings } = app;
  const { leaseTtl: ttl, checkpoints: keep, histories, version } = settings;
  const here = identity();
  const env = options.env ?? process.env;
  return {
    store,
    app: root.appName,
    stage: root.stage,
    version,
    here,
    owner: { ...here, since: run.since, ci: ciRun(env), commit: ciCommit(env) },
    lockTimeout: options.lockTimeout,
    ttl,
    keep,
    histories,
    events,
    signal,
    seal: keyOf(app, store),
  };
}

function keyOf({ root, calls, reader, accepts }: App, store: StateStore): StateKey | undefined {
  const key = calls.stateKey.call({ scope: root, store, reader });
  if (!key || !accepts) return key;
  const { isGiven, recorded } = key;
  return { isGiven, recorded, accepts, open: (state) => key.open(state), seen: (...seen) => key.seen(...seen) };
}

function stateContext(app: App, ledger: Ledger): StateContext {
  const { root } = app;
  const { preflight } = app.run;
  return {
    scope: root,
    run: app.isLive ? runInfo(app) : undefined,
    isSealed: ledger.seal !== "none",
    recorded: ledger.contents,
    keep: (plugin) => new KeptData(ledger, plugin),
    guard: (check) => preflight.add(check),
    async rewrite(tag, replace) {
      if (root.phase === "read") {
        throw new EngineError("READ_ONLY", `"${tag}" cannot be rewritten in the phase "read", which changes nothing.`);
      }
      const changes = rewritten(ledger.readAll(), root.chain.join("/"), tag, replace);
      await ledger.commit(changes, "now");
    },
  };
}

/**
 * Encrypts a recovery file. If that fails, it is written in clear text rather than lost: secrets in it are encrypted on
 * their own.
 */
function seal({ calls, root, events, ledger }: App, text: string, bound: string): string | undefined {
  try {
    return calls.seal.call({ text, bound, scope: root });
  } catch (error) {
    // A sealed state accepts only results that were written with its key.
    const advice = ledger.keyRecord
      ? "A sealed state accepts only encrypted results, so no run will read this file into the state. Compare the results in the file with the real resources, then delete it."
      : "Run again, then check that the file is gone.";
    events.warn(
      "RECOVERY_UNSEALED",
      `The recovery file could not be encrypted as a whole (${messageOf(error)}). Only the secrets in it are encrypted. ${advice}`,
    );
    return undefined;
  }
}

async function unseal({ calls, root }: App, sealed: string, bound: string): Promise<string> {
  const text = await calls.unseal.call({ sealed, bound, scope: root });
  if (text !== undefined) return text;
  throw new EngineError(
    "PLUGIN_FAILED",
    "it is encrypted, and no plugin of this engine can decrypt it. Use the plugins of the run that wrote it",
  );
}

/** Wraps an error that a store may have thrown in words of its own. */
export function asEngineError(error: unknown, what: "read" | "written" | "read or written"): EngineError {
  if (error instanceof EngineError) return error;
  return new EngineError("STORE_FAILED", `The state could not be ${what}: ${messageOf(error)}`, { cause: error });
}

// Apps of this process whose run has failed and that are never finalized: they must not keep their stage.

/** Ends those of the stage that an app is about to open. */
export async function endLeftBehind(app: App): Promise<void> {
  const { appName, stage } = app.root;
  const others = liveApps(app).filter(({ root }) => root.appName === appName && root.stage === stage);
  for (const other of others.filter(isLeftBehind)) await endApp(app, other);
}

/** Returns a function that ends the app of a session; undefined if it is not one of these. */
function leftBehind(app: App, session: string): (() => Promise<void>) | undefined {
  const other = liveApps(app).find((one) => isLeftBehind(one) && one.ledger.session === session);
  return other && (() => endApp(app, other));
}

function liveApps(besides: App): readonly App[] {
  return [...liveRoots()].map((root) => appOf(root)).filter((app) => app !== besides);
}

/** True if it has failed or was aborted, and no part of it is running that could end, or continue, by itself. */
function isLeftBehind({ run, isReady, isEnding, opening }: App): boolean {
  if (!isReady || isEnding || opening?.isOpening || !run.hasFailed(everywhere)) return false;
  const { running, deleting, deferred, scopeRuns } = run;
  return (
    running.size === 0 &&
    deleting.size === 0 &&
    deferred.running.length === 0 &&
    scopeRuns.names.length === 0 &&
    run.waits.unsettled(everywhere).length === 0
  );
}

async function endApp(app: App, other: App): Promise<void> {
  app.events.warn(
    "NOT_FINALIZED",
    `An earlier run of "${other.root.chain.join("/")}" in this process failed and was never finalized. It ends now, prunes nothing and releases the stage. Finalize each app, even after an error, or use engine.up().`,
  );
  await other.dispose(leaveRun).catch(() => {});
}
