/** One engine at work on one stage: what scopes, resources and the lifecycle share. */

import type { AppParts, MakeApp } from "./app-parts.js";
import type { EngineSettings } from "./engine-settings.js";
import { EngineError, isEngineError } from "./errors.js";
import type { EventBus } from "./events.js";
import { Gate } from "./gate.js";
import type { EngineHooks, HookCalls } from "./hook-table.js";
import { Interruption } from "./interruption.js";
import { endLeftBehind } from "./left-behind.js";
import { boundsOf } from "./lifecycle/bounds.js";
import { type DeclarationCall, declareInTime } from "./lifecycle/declare.js";
import { destroyAtStart, disposeRun, finalizeRoot, finalizeScope, giveUpStart } from "./lifecycle/finalize.js";
import { Generation } from "./lifecycle/generation.js";
import { Limiter } from "./lifecycle/limit.js";
import { refuseInside } from "./lifecycle/own-handler.js";
import { Placement } from "./lifecycle/placement.js";
import { Refreshed } from "./lifecycle/refresh.js";
import { codecOf } from "./lifecycle/unknown-inputs.js";
import type { SignalName } from "./node-types.js";
import { type ChosenStore, chooseStore, closedOnFailure, openLedger } from "./open-state.js";
import type { ResolvedOptions } from "./options.js";
import { prepare } from "./plan/preview.js";
import type { Redact, Redaction } from "./redaction.js";
import type { PendingResource } from "./resource/pending.js";
import { forgetDeclarations } from "./scope/child.js";
import { CleanupStack } from "./scope/cleanup.js";
import { isLive, isRunningIn, setLive } from "./scope/current.js";
import type { FinalizeOptions } from "./scope/finalize-options.js";
import type { Scope } from "./scope/scope.js";
import { ScopeRuns } from "./scope/scope-runs.js";
import { Start, tellStarted } from "./start.js";
import type { Change } from "./state/change.js";
import type { Codec } from "./state/codec.js";
import type { Ledger } from "./state/ledger.js";

export class App {
  readonly options: ResolvedOptions;
  readonly settings: EngineSettings;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly codec: Codec;
  /** A text as others may see it. */
  readonly redact: Redact;
  /** An error as others may see it. */
  readonly safe: Redaction;
  readonly limiter: Limiter;
  readonly cleanup = new CleanupStack();
  readonly root: Scope;
  /** Outputs that resources gave to the program, each with the key of its resource. */
  readonly outputs = new WeakMap<object, string>();
  generation: Generation;
  /** Functions that run in scopes of this generation. */
  runs = new ScopeRuns();
  /** In front of handlers and writes of this generation. */
  gate = new Gate();
  /** True while something else runs the cleanup functions when the process ends. */
  cleanupAtExit = false;
  /** Asked where another run was first: true where whoever has opened this one opens another. */
  repeats = (): boolean => false;
  /** It was asked, and is: nobody is told that this run has failed. */
  isToRepeat = false;
  /** The signal that ends the process, where one does. */
  endedBy: SignalName | undefined;
  /** Waited for when a run has let go of all that it had. */
  lingers = async (): Promise<void> => {};
  /** Called after that, just before `finalize()` settles. */
  released = (): void => {};
  readonly sibling: MakeApp;
  /** The password or key was given to another app, which reads from this stage: it need not be this one's. */
  inheritsKey = false;
  /** Where the state is, as long as the run may use it. */
  chosen: ChosenStore | undefined;
  #interruption = new Interruption();
  #ledger: Ledger | undefined;
  #start: Start | undefined;
  #isReady = false;
  #finalizing: Promise<void> | undefined;

  constructor({ options, hooks, calls, events, settings, redact, safe, makeRoot, sibling }: AppParts) {
    this.options = options;
    this.hooks = hooks;
    this.calls = calls;
    this.events = events;
    this.settings = settings;
    this.redact = redact;
    this.safe = safe;
    this.sibling = sibling;
    const values = { encodeValue: calls.encodeValue.call, decodeValue: calls.decodeValue.call };
    this.codec = codecOf(options, values, () => this.generation.bounds.selection);
    this.limiter = new Limiter(options.concurrency);
    this.generation = new Generation(options.concurrency);
    this.root = makeRoot(this);
    this.#follow();
  }

  get signal(): AbortSignal {
    return this.#interruption.signal;
  }

  get ledger(): Ledger {
    if (!this.#ledger) throw new EngineError("INVALID_CALL", "The state is not loaded yet: await engine() first.");
    return this.#ledger;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Resolves once the state is loaded; handlers may rely on it while `engine()` destroys. @throws as `started` does */
  ready(): Promise<void> {
    return this.#isReady ? Promise.resolve() : this.started();
  }

  /** Resolves when `engine()` does. @throws what that rejected with */
  started(): Promise<void> {
    return this.#start?.over ?? Promise.resolve();
  }

  /** How far `engine()` is; undefined before it has begun. */
  get opening(): Start | undefined {
    return this.#start;
  }

  /** @param before waited for before the state is loaded */
  start(before?: (root: Scope) => Promise<void> | undefined): Promise<void> {
    setLive(this.root, true);
    const begin = (): Promise<void> => this.#begin(before).catch((thrown: unknown) => this.#giveUpStart(thrown));
    this.#start = new Start(begin, this.#start === undefined);
    return this.#start.over;
  }

  /** Begins a new generation of declarations where the last one is finalized; undefined where that is not needed. */
  revive(): Promise<void> | undefined {
    // A deferred function, or a handler while something is pruned, belongs to the generation that is being finalized.
    if (!this.#finalizing || isRunningIn(this.root)) return undefined;
    return this.#revive(this.#finalizing);
  }

  async #revive(finalizing: Promise<void>): Promise<void> {
    await finalizing.catch(() => {});
    if (isLive(this.root)) return this.started();
    this.#finalizing = undefined;
    this.#isReady = false;
    this.generation = new Generation(this.options.concurrency);
    this.runs = new ScopeRuns();
    this.gate = new Gate();
    this.#interruption = new Interruption();
    this.#follow();
    forgetDeclarations(this.root);
    return this.start();
  }

  declare(call: DeclarationCall): PendingResource<unknown> {
    return declareInTime(this, call);
  }

  /** Records what has happened: at once where the options say so, else in company. */
  record(changes: readonly Change[]): Promise<void> | undefined {
    const durable = this.ledger.commit(changes, "soon");
    // A failure that nobody awaits reaches the run through the ledger.
    return this.options.durability === "wait" ? durable : undefined;
  }

  async finalize(scope: Scope, options: FinalizeOptions): Promise<void> {
    refuseInside(scope, "finalize()");
    if (scope.parent) return finalizeScope(this, scope, options);
    this.runs.excuseCaller();
    this.#finalizing ??= finalizeRoot(this, options);
    await this.#finalizing;
  }

  /** Ends the run without pruning; one that is being finalized just ends, and tells its failures by itself. */
  async dispose(end: (app: App) => Promise<void> = disposeRun): Promise<void> {
    if (this.#finalizing !== undefined) return this.#finalizing.catch(() => {});
    this.#finalizing = end(this);
    return this.#finalizing;
  }

  /** True from the call of `finalize()`, or of what ends the run instead. */
  get isEnding(): boolean {
    return this.#finalizing !== undefined;
  }

  get isLive(): boolean {
    return isLive(this.root);
  }

  /** No handler starts from now on; running ones get the signal. */
  interrupt(reason: EngineError, by: "failure" | "request" = "failure"): void {
    if (this.signal.aborted) return;
    this.generation.isInterrupted = by === "request";
    const safe = this.safe(reason);
    this.isToRepeat = isEngineError(safe, "STATE_MOVED") && this.repeats();
    this.generation.fail("", safe);
    this.#interruption.abort(safe);
  }

  /** Lets go of the store and of the place among the live apps. */
  async release(): Promise<void> {
    setLive(this.root, false);
    this.#interruption.unfollow();
    const { chosen } = this;
    this.chosen = undefined;
    try {
      if (chosen?.isOwn) await chosen.store.close?.();
    } finally {
      await this.lingers();
      this.released();
    }
  }

  /** Reads the state that is in a store; it is all that an app needs that is not live. A session is for a command. */
  async load(chosen: ChosenStore, command: string = this.options.phase): Promise<void> {
    this.chosen = chosen;
    this.#ledger = await openLedger(this, chosen.store, command);
    this.generation.placement = new Placement({ [Symbol.iterator]: () => this.ledger.contents.records.values() });
    this.generation.bounds = boundsOf(this);
    await closedOnFailure(this.#ledger, prepare(this));
    this.#isReady = true;
  }

  async #begin(before: ((root: Scope) => Promise<void> | undefined) | undefined): Promise<void> {
    const { options, calls, root } = this;
    await before?.(root);
    if (options.phase !== "read" && !options.plan) await endLeftBehind(this);
    await this.load(await chooseStore(this));
    if (options.lock === "eager") await this.ledger.takeTurn();
    tellStarted(this);
    if (calls.scopeCreated.used) await calls.scopeCreated.call({ scope: root });
    // What is recorded may be readable only to a plugin that has heard of the scope.
    if (options.refresh && options.phase === "up") this.generation.refreshed = await Refreshed.of(this);
    if (options.phase === "destroy") await destroyAtStart(this);
  }

  /** @throws what the start failed with */
  async #giveUpStart(thrown: unknown): Promise<never> {
    // As after a run that has ended: app.run may begin another.
    const error = await giveUpStart(this, thrown).finally(() => {
      this.#finalizing ??= Promise.resolve();
    });
    throw error;
  }

  #follow(): void {
    this.#interruption.follow(this.options.signal, (reason) => this.interrupt(reason, "request"));
  }
}
