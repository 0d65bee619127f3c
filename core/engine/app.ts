/** One engine running on one stage: the parts shared by scopes, resources and the lifecycle. */

import { declareInTime, EarlyReads, performer } from "../apply/index.js";
import {
  checkGiven,
  EngineError,
  flag,
  isEngineError,
  Limiter,
  type Redact,
  type Redaction,
  type SignalName,
} from "../base/index.js";
import type { Codec, CodecHooks } from "../codec/index.js";
import {
  type EngineHooks,
  type EventBus,
  type FinalizeOptions,
  type HookCalls,
  isLive,
  isRunningIn,
  type ResolvedOptions,
  type Scope,
  type ScopeMethods,
  setLive,
} from "../contract/index.js";
import { Placement } from "../order/index.js";
import { enterByAlias } from "../rename/index.js";
import {
  type App,
  type ChosenStore,
  CleanupStack,
  codecOf,
  DeleteLimit,
  type EngineSettings,
  type MakeApp,
  Run,
  refuseInside,
  retainedOf,
  Selection,
} from "../run/index.js";
import { forgetDeclarations } from "../scope/index.js";
import type { Change, Ledger } from "../state/index.js";
import { type AppParts, scopeMethods } from "./app-parts.js";
import { destroyAtStart, disposeRun, finalizeRoot, finalizeScope, giveUpStart, runInfo } from "./finalize.js";
import { chooseStore, closedOnFailure, endLeftBehind, openLedger } from "./open-state.js";
import { Interruption, Start } from "./start.js";

/** The interfaces describe each member. */
export class LiveApp implements App {
  readonly methods: ScopeMethods;
  readonly declare = declareInTime;
  readonly options: ResolvedOptions;
  readonly settings: EngineSettings;
  readonly hooks: EngineHooks;
  readonly calls: HookCalls;
  readonly events: EventBus;
  readonly codec: Codec;
  readonly redact: Redact;
  readonly safe: Redaction;
  readonly limiter: Limiter;
  readonly cleanup = new CleanupStack();
  readonly root: Scope;
  readonly outputs = new WeakMap<object, string>();
  run: Run;
  cleanupAtExit = false;
  repeats = (): boolean => false;
  isToRepeat = false;
  endedBy: SignalName | undefined;
  beforeRelease = async (): Promise<void> => {};
  released = (): void => {};
  readonly detachedApp: MakeApp;
  reader: App["reader"];
  accepts: App["accepts"];
  chosen: ChosenStore | undefined;
  planning: App["planning"];
  #interruption = new Interruption();
  #ledger: Ledger | undefined;
  #start: Start | undefined;
  #finalizing: Promise<void> | undefined;

  constructor({ options, hooks, calls, events, settings, redact, safe, makeRoot, detachedApp }: AppParts) {
    this.options = options;
    this.hooks = hooks;
    this.calls = calls;
    this.events = events;
    this.settings = settings;
    this.methods = scopeMethods(settings.methods);
    this.redact = redact;
    this.safe = safe;
    this.detachedApp = detachedApp;
    const values: CodecHooks = {
      encodeValue: (context) => calls.encodeValue.call(context),
      decodeValue: (context) => calls.decodeValue.call(context),
    };
    this.codec = codecOf(options, values, () => this.run.bounds.selection);
    this.limiter = new Limiter(options.concurrency);
    this.run = newRun(this);
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
    return this.run.progress.hasOpened;
  }

  ready(): Promise<void> {
    return this.isReady ? Promise.resolve() : this.started();
  }

  started(): Promise<void> {
    return this.#start?.over ?? Promise.resolve();
  }

  get opening(): Start | undefined {
    return this.#start;
  }

  start(before?: (root: Scope) => Promise<void> | undefined): Promise<void> {
    setLive(this.root, true);
    const begin = (): Promise<void> => this.#begin(before).catch((thrown: unknown) => this.#giveUpStart(thrown));
    this.#start = new Start(begin, this.#start === undefined);
    return this.#start.over;
  }

  revive(): Promise<void> | undefined {
    // A deferred function, or a handler during pruning, belongs to the run that is being finalized.
    if (!this.#finalizing || isRunningIn(this.root)) return undefined;
    return this.#revive(this.#finalizing);
  }

  async #revive(finalizing: Promise<void>): Promise<void> {
    await finalizing.catch(() => {});
    if (isLive(this.root)) return this.started();
    this.#finalizing = undefined;
    this.run = newRun(this, true);
    this.#interruption = new Interruption();
    this.#follow();
    forgetDeclarations(this.root);
    return this.start();
  }

  enterByAlias(scope: Scope): Promise<void> {
    return enterByAlias(this, scope);
  }

  record(changes: readonly Change[]): Promise<void> | undefined {
    const durable = this.ledger.commit(changes, "soon");
    // A failure reaches the run through the ledger, whether or not it is awaited.
    return this.options.durability === "full" ? durable : undefined;
  }

  async finalize(scope: Scope, options: FinalizeOptions): Promise<void> {
    refuseInside(scope, "finalize()");
    checkGiven("finalize", options, { force: flag, noop: flag, empty: flag });
    if (scope.parent) return finalizeScope(this, scope, options);
    this.run.scopeRuns.excuseCaller();
    this.#finalizing ??= finalizeRoot(this, options);
    await this.#finalizing;
  }

  async dispose(end: (app: App) => Promise<void> = disposeRun): Promise<void> {
    if (this.#finalizing !== undefined) return this.#finalizing.catch(() => {});
    this.#finalizing = end(this);
    return this.#finalizing;
  }

  get isEnding(): boolean {
    return this.#finalizing !== undefined;
  }

  get isLive(): boolean {
    return isLive(this.root);
  }

  interrupt(reason: EngineError, by: "failure" | "request" = "failure"): void {
    if (this.signal.aborted) return;
    this.run.isInterrupted = by === "request";
    const safe = this.safe(reason);
    this.isToRepeat = isEngineError(safe, "STATE_MOVED") && this.repeats();
    this.run.fail("", safe);
    this.#interruption.abort(safe);
  }

  async release(): Promise<void> {
    this.run.progress.advance("closed");
    setLive(this.root, false);
    this.#interruption.unfollow();
    const { chosen } = this;
    this.chosen = undefined;
    try {
      if (chosen?.isOwn) await chosen.store.close?.();
    } finally {
      await this.beforeRelease();
      this.released();
    }
  }

  /** Reads the state from a store; an app that is not live needs nothing else. The session is for `command`. */
  async load(chosen: ChosenStore, command: string = this.settings.command ?? this.options.phase): Promise<void> {
    this.chosen = chosen;
    await this.#loadPlanning();
    const ledger = await openLedger(this, chosen.store, command);
    this.#ledger = ledger;
    await closedOnFailure(ledger, this.#prepared(ledger));
    this.run.placement = new Placement({ [Symbol.iterator]: () => this.ledger.contents.records.values() });
    this.run.bounds = {
      selection: Selection.of(this),
      deletes: DeleteLimit.of(this, (records) => retainedOf(this, records)),
    };
    this.run.progress.advance("open");
  }

  async #prepared(ledger: Ledger): Promise<void> {
    await this.planning?.loaded(this);
    // Before a place or a limit is derived from the state: other runs may change it until then.
    if (this.options.lock === "eager") await ledger.acquire();
  }

  async #begin(before: ((root: Scope) => Promise<void> | undefined) | undefined): Promise<void> {
    const { options, calls, root } = this;
    await before?.(root);
    if (options.phase !== "read" && !options.plan) await endLeftBehind(this);
    await this.load(await chooseStore(this));
    emitRunStarted(this);
    if (calls.scopeCreated.used) await calls.scopeCreated.call({ scope: root });
    // Some records may be readable only to a plugin that knows the scope.
    if (options.refresh && options.phase === "up") this.run.refreshed = await EarlyReads.of(this);
    if (options.phase === "destroy") await destroyAtStart(this);
    this.ledger.foreign.clear();
  }

  /** Most runs make no plan: for them its code is not loaded. */
  async #loadPlanning(): Promise<void> {
    const { plan, planFile } = this.options;
    if (this.planning || !(plan || planFile !== undefined)) return;
    this.planning = await this.settings.planning?.();
    if (plan && this.planning) this.run.performer = this.planning.simulated(this);
  }

  /** @throws the error of the start */
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

/** Notifies observers. */
function emitRunStarted(app: App): void {
  const { events, root } = app;
  events.emit("run:started", runInfo(app));
  events.emit("scope:created", { fqn: root.chain.join("/") });
}

/** @param isLater true for all runs of an app except the first */
function newRun(app: App, isLater = false): Run {
  const { options, planning } = app;
  const simulated = options.plan ? planning?.simulated(app) : undefined;
  // In a plan nothing runs, and nothing waits for a slot.
  const concurrency = options.plan ? Number.POSITIVE_INFINITY : options.concurrency;
  return new Run(concurrency, simulated ?? performer(app.events), isLater);
}
