/** The hook table: where a plugin may change, delay or fail a run. What plugins tap and what the engine calls are two views of it. */

import type { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import type { Later } from "../../base/index.js";
import type { Definition } from "../defined-type.js";
import type { ExecResult } from "../processes.js";
import type { Encoded } from "../record.js";
import type { StateStore, StoreContext } from "../store.js";
import type {
  ApplyContext,
  ApplyFailedContext,
  AskContext,
  BeforeApplyContext,
  BeforeDeleteContext,
  BeforeFinalizeContext,
  CleanupContext,
  DeleteFailedContext,
  DeletionContext,
  DestroyContext,
  ExecContext,
  FinalizeContext,
  HandlerCallContext,
  KindContext,
  OptionsContext,
  ProcessCall,
  PropsContext,
  PruneContext,
  ScopeContext,
  SpawnContext,
  StateContext,
  StateKeyContext,
  StoreRequestContext,
  TunnelContext,
} from "./hook-contexts.js";
import type {
  DecodeContext,
  Decoded,
  EncodeContext,
  RedactContext,
  SealContext,
  StateKey,
  UnsealContext,
} from "./value-contexts.js";

/** What the engine has beside tapable's own options of a tap. */
export interface OwnTapOptions {
  /**
   * Called in plans, too, where the hook may refuse something: `context.planned` is true then, and the tap must change
   * nothing and ask nobody. Its vetoes stand in the plan. Default: false.
   */
  readonly inPlans?: boolean;
  /** Called after all taps of all stages that are not: e.g. to ask only about what the others have left. Default: false. */
  readonly last?: boolean;
}

/** Whose tap it is, and when it is called. */
export interface TapOptions extends OwnTapOptions {
  /** Name of the plugin, for error messages and for `before` of others. */
  readonly name: string;
  /** Taps of a smaller number are called earlier. Default: 0. */
  readonly stage?: number;
  /** Name of a tap, made already, before which this one is called. */
  readonly before?: string;
}

/** What a plugin holds of a hook of tapable: it can tap, not call. */
type Asynchronous = "tap" | "tapPromise" | "tapAsync" | "intercept" | "isUsed" | "withOptions";
type Synchronous = "tap" | "intercept" | "isUsed" | "withOptions";

/** A hook whose taps run one after the other; the first that throws ends it. */
export type SeriesHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous>;
/** A hook whose taps all run, whatever the others do. */
export type EveryHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous>;
/** A hook whose taps run until one answers. */
export type FirstAnswerHook<C, R> = Pick<AsyncSeriesBailHook<[C], R | undefined, OwnTapOptions>, Asynchronous>;
/** A hook whose taps run until one answers, none of which may take time. */
export type SyncFirstAnswerHook<C, R> = Pick<SyncBailHook<[C], R | undefined, OwnTapOptions>, Synchronous>;
/** A hook whose taps each return the context that the next one gets. */
export type WaterfallHook<C> = Pick<SyncWaterfallHook<[C], C, OwnTapOptions>, Synchronous>;

/**
 * A tap around a piece of work. It calls `next` once, waits for it, and returns what that gives: the next tap, and at last the
 * work, are done by it. What it throws is thrown in place of what the work throws.
 *
 * @example
 * hooks.handler.tapPromise("timing", async ({ fqn }, next) => {
 *   const begun = performance.now();
 *   try {
 *     return await next();
 *   } finally {
 *     console.log(fqn, performance.now() - begun);
 *   }
 * });
 */
export type Around<C> = <T>(context: C, next: () => Promise<T>) => Promise<T>;

/** A hook whose taps are around a piece of work, the first of them outermost. tapable has no such class. */
export interface AroundHook<C> {
  /** @param options name of the plugin, or that and when it is called */
  tapPromise(options: string | TapOptions, fn: Around<C>): void;
  /** True if it was tapped. */
  isUsed(): boolean;
  /** The hook with options for the taps that are made by it. */
  withOptions(options: Partial<TapOptions>): AroundHook<C>;
}

/** One hook in the table: how its taps are called. What they get and give is in the type alone. */
interface Row<K extends keyof Kinds<never, never>, C, R> {
  readonly kind: K;
  readonly types?: (context: C) => R;
}

/** What plugins tap, and what the engine gets of the taps, for each kind of hook. */
interface Kinds<C, R> {
  readonly series: readonly [SeriesHook<C>, Promise<void>];
  readonly every: readonly [EveryHook<C>, Promise<readonly unknown[]>];
  readonly firstAnswer: readonly [FirstAnswerHook<C, R>, Promise<R | undefined>];
  readonly syncFirstAnswer: readonly [SyncFirstAnswerHook<C, R>, R | undefined];
  readonly waterfall: readonly [WaterfallHook<C>, C];
  readonly around: readonly [AroundHook<C>, never];
}

const series = <C>(): Row<"series", C, void> => ({ kind: "series" });
const every = <C>(): Row<"every", C, void> => ({ kind: "every" });
const firstAnswer = <C, R>(): Row<"firstAnswer", C, R> => ({ kind: "firstAnswer" });
const syncFirstAnswer = <C, R>(): Row<"syncFirstAnswer", C, R> => ({ kind: "syncFirstAnswer" });
const waterfall = <C>(): Row<"waterfall", C, C> => ({ kind: "waterfall" });
const around = <C>(): Row<"around", C, void> => ({ kind: "around" });

/** Every hook of an engine, in the order in which a run reaches them. */
export const HOOKS = Object.freeze({
  /** Fill in options that nobody gave. Synchronous; each tap returns the context that the next one gets. */
  options: waterfall<OptionsContext>(),
  /** Choose the store where the `stateStore` option is absent or a URL. The first answer wins. */
  stateStore: firstAnswer<StoreContext, StateStore>(),
  /** Around each request to the store, e.g. to time it. */
  storeRequest: around<StoreRequestContext>(),
  /** Say what proves that the state of a stage is what runs with its key have written. Synchronous; the first answer wins. */
  stateKey: syncFirstAnswer<StateKeyContext, StateKey>(),
  /** The state was loaded; a throwing tap fails the run. */
  stateLoaded: series<StateContext>(),
  /** A scope was made; a throwing tap fails it. */
  scopeCreated: series<ScopeContext>(),
  /** Encode a value that the codec does not know; the first answer wins. Synchronous; an answer that takes time is a `Later`. */
  encodeValue: syncFirstAnswer<EncodeContext, Encoded | Later<Encoded>>(),
  /** Decode a tag that the codec does not know; the first answer wins. Synchronous; an answer that takes time is a `Later`. */
  decodeValue: syncFirstAnswer<DecodeContext, Decoded | Later<Decoded>>(),
  /** Supply the definition of a recorded kind that nobody imported. */
  resolveKind: firstAnswer<KindContext, Definition>(),
  /** Replace the props of a declaration before they are validated and compared. */
  props: series<PropsContext>(),
  /** Veto or delay a create, update, replace or adoption. */
  beforeApply: series<BeforeApplyContext>(),
  /** Around each call of a handler, e.g. to trace it. */
  handler: around<HandlerCallContext>(),
  afterApply: series<ApplyContext>(),
  applyFailed: series<ApplyFailedContext>(),
  /** Veto or delay a delete. */
  beforeDelete: series<BeforeDeleteContext>(),
  afterDelete: series<DeletionContext>(),
  deleteFailed: series<DeleteFailedContext>(),
  /** Keep items of a prune, or veto it as a whole. */
  beforePrune: series<PruneContext>(),
  /** A scope, and those in it, have no resource left that is not declared: end what a plugin keeps for them besides. */
  scopePruned: series<ScopeContext>(),
  /** Veto what was asked for: to destroy a stage, a scope or a resource. */
  beforeDestroy: series<DestroyContext>(),
  /** All resources of a scope, and of those in it, were destroyed on request: end what a plugin keeps for them besides. */
  scopeDestroyed: series<ScopeContext>(),
  /** All that was declared has settled; veto what finalize would do with the rest. */
  beforeFinalize: series<BeforeFinalizeContext>(),
  afterFinalize: series<FinalizeContext>(),
  /** Answer what a plugin asks by `ask` of its host. The first answer wins. */
  ask: firstAnswer<AskContext, boolean>(),
  /** Say how a call of `scope.exec` is done. Synchronous; the first answer wins. */
  exec: syncFirstAnswer<ExecContext, ProcessCall<ExecResult>>(),
  /** Say how a call of `scope.spawn` is done. Synchronous; the first answer wins. */
  spawn: syncFirstAnswer<SpawnContext, ProcessCall<string | undefined>>(),
  /** Give a local port a public URL, until `cleanup`. The first answer wins. */
  tunnel: firstAnswer<TunnelContext, string>(),
  /** Take out of a text for people what must not be seen. Synchronous; each tap returns the context that the next one gets. */
  redact: waterfall<RedactContext>(),
  /** Lock a text away, e.g. what goes into a recovery file. Synchronous; the first answer wins. */
  seal: syncFirstAnswer<SealContext, string>(),
  /** Give back what `seal` made. */
  unseal: firstAnswer<UnsealContext, string>(),
  /** The engine lets go of an app; every tap runs, errors are collected. */
  cleanup: every<CleanupContext>(),
});

/** The name of a hook. */
export type HookName = keyof typeof HOOKS;

type View<T, Side extends 0 | 1> = T extends Row<infer K, infer C, infer R> ? Kinds<C, R>[K][Side] : never;
type ContextOf<T> = T extends Row<keyof Kinds<never, never>, infer C, unknown> ? C : never;

// Of `keyof typeof HOOKS` by itself: so each member keeps the documentation of its row.
type TappedHooks = { readonly [N in keyof typeof HOOKS]: View<(typeof HOOKS)[N], 0> };

/** Every hook of an engine, in the order in which a run reaches them. */
export interface EngineHooks extends TappedHooks {}

/** How the engine calls a hook; `used` is false, at no cost, while nobody has tapped. */
interface Call<C, Result> {
  readonly used: boolean;
  call(context: C): Result;
}

/** Sends a piece of work through the taps of an {@link AroundHook}. */
interface AroundCall<C> {
  readonly used: boolean;
  call<T>(context: C, work: () => Promise<T>): Promise<T>;
}

type CallOf<T> = T extends Row<"around", infer C, void> ? AroundCall<C> : Call<ContextOf<T>, View<T, 1>>;

/** The engine's side of the table: it calls, and plugins never see it. A call of an `every` hook resolves with the errors of all taps. */
export type HookCalls = { readonly [N in HookName]: CallOf<(typeof HOOKS)[N]> };
