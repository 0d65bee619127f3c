/** One engine at work on one stage: what scopes, resources and the lifecycle share. */
import { EngineError, messageOf } from "./errors.js";
import type { EventBus } from "./events.js";
import type { EngineHooks, HookCalls } from "./hook-table.js";
import { type DeclarationCall, declare } from "./lifecycle/declare.js";
import { destroyAtStart, disposeRun, finalizeRoot, finalizeScope } from "./lifecycle/finalize.js";
import { Generation } from "./lifecycle/generation.js";
import { Limiter } from "./lifecycle/limit.js";
import { Placement } from "./lifecycle/positions.js";
import type { ResolvedOptions } from "./options.js";
import { identity } from "./process/identity.js";
import type { PendingResource } from "./resource/pending.js";
import { CleanupStack } from "./scope/cleanup.js";
import { isLive, setLive } from "./scope/current.js";
import type { FinalizeOptions, Scope } from "./scope/scope.js";
import type { Change } from "./state/change.js";
import { type Codec, createCodec } from "./state/codec.js";
import { Ledger } from "./state/ledger.js";
import type { StateStore } from "./state/store.js";

/** What an embedding tool or a test may set beside the options; see createEngine. */
export interface EngineSettings {
  /** Milliseconds of silence after which the owner of a session counts as dead. */
  readonly leaseTtl: number;
  /** Checkpoints to keep. */
  readonly checkpoints: number;
  /** Closed checkpoints to keep for people. */
  readonly histories: number;
  readonly version: string;
}

export interface AppParts {
  readonly options: ResolvedOptions;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly settings: EngineSettings;
  makeRoot(app: App): Scope;
}

export class App {
  readonly options: ResolvedOptions;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly codec: Codec;
  readonly limiter: Limiter;
  readonly cleanup = new CleanupStack();
  readonly root: Scope;
  /** Objects by which a program can refer to a resource (outputs and pending resources), with its key. */
  readonly origins = new WeakMap<object, string>();
  generation = new Generation();
  /** True while something else runs the cleanup functions when the process ends. */
  cleanupAtExit = false;
  /** The phase `destroy` has nothing left to do. */
  destroyed = false;
  /** `engine()` is not to resolve: the process is about to end. */
  withheld = false;
  readonly #settings: EngineSettings;
  #controller = new AbortController();
  #ledger: Ledger | undefined;
  #ownStore: StateStore | undefined;
  #started: Promise<void> | undefined;
  #isReady = false;
  #finalizing: Promise<void> | undefined;

  constructor({ options, hooks, calls, events, settings, makeRoot }: AppParts) {
    this.options = options;
    this.hooks = hooks;
    this.calls = calls;
    this.events = events;
    this.#settings = settings;
    this.codec = createCodec({
      encodeValue: (context) => calls.encodeValue.call(context),
      decodeValue: (context) => calls.decodeValue.call(context),
    });
    this.limiter = new Limiter(options.concurrency);
    this.root = makeRoot(this);
    this.#follow(options.signal);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get ledger(): Ledger {
    if (!this.#ledger) throw new EngineError("INVALID_CALL", "The state is not loaded yet: await engine() first.");
    return this.#ledger;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves once the state is loaded. @throws what `engine()` rejected with */
  ready(): Promise<void> {
    return this.#started ?? Promise.resolve();
  }

  start(): Promise<void> {
    setLive(this.root, true);
    this.#started = this.#start().catch((error: unknown) => {
      setLive(this.root, false);
      throw error;
    });
    // Whoever declares something waits for it too; engine() hands the failure on.
    this.#started.catch(() => {});
    return this.#started;
  }

  /** Begins a new generation of declarations where the last one is finalized. */
  async revive(): Promise<void> {
    if (!this.#finalizing) return this.ready();
    await this.#finalizing.catch(() => {});
    if (isLive(this.root)) return this.ready();
    this.#finalizing = undefined;
    this.#isReady = false;
    this.generation = new Generation();
    this.#controller = new AbortController();
    this.#follow(this.options.signal);
    forgetDeclarations(this.root);
    return this.start();
  }

  declare(call: DeclarationCall): PendingResource<unknown> {
    return declare(this, call);
  }

  /** Records what has happened: at once where the options say so, else in company. */
  record(changes: readonly Change[]): Promise<void> | undefined {
    const durable = this.ledger.commit(changes, "soon");
    if (this.options.durability === "wait") return durable;
    durable.catch(() => {});
    return undefined;
  }

  finalize(scope: Scope, options: FinalizeOptions): Promise<void> {
    if (scope.parent) return finalizeScope(this, scope, options);
    this.#finalizing ??= finalizeRoot(this, options);
    return this.#finalizing;
  }

  /** Ends the run without pruning. */
  dispose(): Promise<void> {
    this.#finalizing ??= disposeRun(this);
    return this.#finalizing;
  }

  get isLive(): boolean {
    return isLive(this.root);
  }

  /** No handler starts from now on; running ones get the signal. */
  interrupt(reason: EngineError): void {
    if (this.signal.aborted) return;
    this.generation.fail("", reason);
    this.#controller.abort(reason);
  }

  throwIfInterrupted(): void {
    if (this.signal.aborted) throw this.signal.reason;
  }

  /** What `onCleanup` and the `cleanup` hook registered; resolves with the errors, each also a warning. */
  async runCleanup(): Promise<readonly unknown[]> {
    const { calls, root, events } = this;
    const own = await this.cleanup.run();
    const tapped = calls.cleanup.used ? await calls.cleanup.call({ scope: root }) : [];
    for (const error of [...own, ...tapped]) events.warn("CLEANUP_FAILED", messageOf(error));
    return [...own, ...tapped];
  }

  /** Lets go of the store and of the place among the live apps. */
  async release(): Promise<void> {
    setLive(this.root, false);
    const store = this.#ownStore;
    this.#ownStore = undefined;
    await store?.close?.();
  }

  async #start(): Promise<void> {
    const { options, events, calls, root } = this;
    const { appName: app, stage } = root;
    const here = identity();
    const { leaseTtl: ttl, checkpoints: keep, histories, version } = this.#settings;
    this.#ledger = await Ledger.open({
      store: await this.#openStore(),
      app,
      stage,
      rootDir: options.rootDir,
      writes: options.phase !== "read",
      command: options.phase,
      version,
      here,
      owner: { ...here, since: new Date().toISOString() },
      lockTimeout: options.lockTimeout,
      ttl,
      keep,
      histories,
      events,
      signal: this.signal,
      broken: (error) => this.interrupt(asEngineError(error)),
    });
    this.generation.placement = new Placement(this.#ledger.contents.records.values());
    this.#isReady = true;
    events.emit("run:started", { app, stage, phase: options.phase });
    events.emit("scope:created", { fqn: `${app}/${stage}` });
    if (calls.scopeCreated.used) await calls.scopeCreated.call({ scope: root });
    if (options.phase === "destroy") await destroyAtStart(this);
    if (this.withheld) await new Promise<never>(() => {});
  }

  async #openStore(): Promise<StateStore> {
    const { stateStore, rootDir, profile } = this.options;
    const context = { appName: this.root.appName, stage: this.root.stage, rootDir, profile };
    if (typeof stateStore === "object") return stateStore;
    // A store that was handed over belongs to its maker; one made for this run is closed with it.
    this.#ownStore = stateStore ? stateStore(context) : await this.calls.stateStore.call(context);
    if (this.#ownStore) return this.#ownStore;
    throw new EngineError("INVALID_OPTION", "No state store: pass { stateStore } or install a plugin that chooses one.");
  }

  #follow(signal: AbortSignal | undefined): void {
    const interrupt = (): void =>
      this.interrupt(new EngineError("ABORTED", "The run was aborted by its signal.", { cause: signal?.reason }));
    if (signal?.aborted) interrupt();
    else signal?.addEventListener("abort", interrupt, { once: true, signal: this.signal });
  }
}

function forgetDeclarations(scope: Scope): void {
  scope.resources.clear();
  for (const child of scope.children.values()) forgetDeclarations(child);
  scope.children.clear();
}

function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  return new EngineError("STORE_FAILED", `The state could not be written: ${String(error)}`, { cause: error });
}
