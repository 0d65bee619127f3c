/** The hook table, types only: where a plugin may change, delay or fail a run, and how the engine asks. */

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
  FinalizeContext,
  HandlerCallContext,
  KindContext,
  OptionsContext,
  PropsContext,
  PruneContext,
  ScopeContext,
  StateContext,
  StateKeyContext,
  StoreRequestContext,
  TunnelContext,
} from "./hook-contexts.js";
import type { PluginHost } from "./plugin.js";
import type { ExecContext, ProcessCall, SpawnContext } from "./process-contexts.js";
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

declare const CALL: unique symbol;

/** Says of a hook, in types alone, how the engine calls it. */
export interface CalledBy<Call> {
  readonly [CALL]?: Call;
}

/** What a plugin holds of a hook of tapable: it can tap, not call. */
type Asynchronous = "tap" | "tapPromise" | "tapAsync" | "intercept" | "isUsed" | "withOptions";
type Synchronous = "tap" | "intercept" | "isUsed" | "withOptions";

/** A hook whose taps run one after the other; the first that throws ends it. */
export type SeriesHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous> & CalledBy<SeriesCall<C>>;
/** A hook whose taps all run, whatever the others do. */
export type EveryHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous> & CalledBy<EveryCall<C>>;
/** A hook whose taps run until one answers. */
export type FirstAnswerHook<C, R> = Pick<AsyncSeriesBailHook<[C], R | undefined, OwnTapOptions>, Asynchronous> &
  CalledBy<FirstAnswerCall<C, R>>;
/** A hook whose taps run until one answers, none of which may take time. */
export type SyncFirstAnswerHook<C, R> = Pick<SyncBailHook<[C], R | undefined, OwnTapOptions>, Synchronous> &
  CalledBy<SyncFirstAnswerCall<C, R>>;
/** A hook whose taps each return the context that the next one gets. */
export type WaterfallHook<C> = Pick<SyncWaterfallHook<[C], C, OwnTapOptions>, Synchronous> & CalledBy<WaterfallCall<C>>;

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
export interface AroundHook<C> extends CalledBy<AroundCall<C>> {
  /** @param options name of the plugin, or that and when it is called */
  tapPromise(options: string | TapOptions, fn: Around<C>): void;
  /** True if it was tapped. */
  isUsed(): boolean;
  /** The hook with options for the taps that are made by it. */
  withOptions(options: Partial<TapOptions>): Omit<AroundHook<C>, keyof CalledBy<unknown>>;
}

/** Every hook of an engine, in the order in which a run reaches them. */
export interface EngineHooks {
  /** Fill in options that nobody gave. Synchronous; each tap returns the context that the next one gets. */
  readonly options: WaterfallHook<OptionsContext>;
  /** Choose the store where the `stateStore` option is absent or a URL. The first answer wins. */
  readonly stateStore: FirstAnswerHook<StoreContext, StateStore>;
  /** Around each request to the store, e.g. to time it. */
  readonly storeRequest: AroundHook<StoreRequestContext>;
  /** Say what proves that the state of a stage is what runs with its key have written. Synchronous; the first answer wins. */
  readonly stateKey: SyncFirstAnswerHook<StateKeyContext, StateKey>;
  /** The state was loaded; a throwing tap fails the run. */
  readonly stateLoaded: SeriesHook<StateContext>;
  /** A scope was made; a throwing tap fails it. */
  readonly scopeCreated: SeriesHook<ScopeContext>;
  /** Encode a value that the codec does not know; the first answer wins. Synchronous; an answer that takes time is a `Later`. */
  readonly encodeValue: SyncFirstAnswerHook<EncodeContext, Encoded | Later<Encoded>>;
  /** Decode a tag that the codec does not know; the first answer wins. Synchronous; an answer that takes time is a `Later`. */
  readonly decodeValue: SyncFirstAnswerHook<DecodeContext, Decoded | Later<Decoded>>;
  /** Supply the definition of a recorded kind that nobody imported. */
  readonly resolveKind: FirstAnswerHook<KindContext, Definition>;
  /** Replace the props of a declaration before they are validated and compared. */
  readonly props: SeriesHook<PropsContext>;
  /** Veto or delay a create, update, replace or adoption. */
  readonly beforeApply: SeriesHook<BeforeApplyContext>;
  /** Around each call of a handler, e.g. to trace it. */
  readonly handler: AroundHook<HandlerCallContext>;
  readonly afterApply: SeriesHook<ApplyContext>;
  readonly applyFailed: SeriesHook<ApplyFailedContext>;
  /** Veto or delay a delete. */
  readonly beforeDelete: SeriesHook<BeforeDeleteContext>;
  readonly afterDelete: SeriesHook<DeletionContext>;
  readonly deleteFailed: SeriesHook<DeleteFailedContext>;
  /** Keep items of a prune, or veto it as a whole. */
  readonly beforePrune: SeriesHook<PruneContext>;
  /** A scope, and those in it, have no resource left that is not declared: end what a plugin keeps for them besides. */
  readonly scopePruned: SeriesHook<ScopeContext>;
  /** Veto what was asked for: to destroy a stage, a scope or a resource. */
  readonly beforeDestroy: SeriesHook<DestroyContext>;
  /** All resources of a scope, and of those in it, were destroyed on request: end what a plugin keeps for them besides. */
  readonly scopeDestroyed: SeriesHook<ScopeContext>;
  /** All that was declared has settled; veto what finalize would do with the rest. */
  readonly beforeFinalize: SeriesHook<BeforeFinalizeContext>;
  readonly afterFinalize: SeriesHook<FinalizeContext>;
  /** Answer what a plugin asks by {@link PluginHost.ask}. The first answer wins. */
  readonly ask: FirstAnswerHook<AskContext, boolean>;
  /** Say how a call of `scope.exec` is done. Synchronous; the first answer wins. */
  readonly exec: SyncFirstAnswerHook<ExecContext, ProcessCall<ExecResult>>;
  /** Say how a call of `scope.spawn` is done. Synchronous; the first answer wins. */
  readonly spawn: SyncFirstAnswerHook<SpawnContext, ProcessCall<string | undefined>>;
  /** Give a local port a public URL, until `cleanup`. The first answer wins. */
  readonly tunnel: FirstAnswerHook<TunnelContext, string>;
  /** Take out of a text for people what must not be seen. Synchronous; each tap returns the context that the next one gets. */
  readonly redact: WaterfallHook<RedactContext>;
  /** Lock a text away, e.g. what goes into a recovery file. Synchronous; the first answer wins. */
  readonly seal: SyncFirstAnswerHook<SealContext, string>;
  /** Give back what `seal` made. */
  readonly unseal: FirstAnswerHook<UnsealContext, string>;
  /** The engine lets go of an app; every tap runs, errors are collected. */
  readonly cleanup: EveryHook<CleanupContext>;
}

/** The name of a hook. */
export type HookName = keyof EngineHooks;

/** Calls of the engine; `used` is false, at no cost, while nobody has tapped. */
export interface SeriesCall<C> {
  readonly used: boolean;
  call(context: C): Promise<void>;
}

/** Asks the taps of a {@link FirstAnswerHook}. */
export interface FirstAnswerCall<C, R> {
  readonly used: boolean;
  call(context: C): Promise<R | undefined>;
}

/** Asks the taps of a {@link SyncFirstAnswerHook}. */
export interface SyncFirstAnswerCall<C, R> {
  readonly used: boolean;
  call(context: C): R | undefined;
}

/** Sends a context through the taps of a {@link WaterfallHook}. */
export interface WaterfallCall<C> {
  readonly used: boolean;
  call(context: C): C;
}

/** Runs every tap, whatever the others do, and collects their errors. */
export interface EveryCall<C> {
  readonly used: boolean;
  /** Resolves with the errors of all taps. */
  call(context: C): Promise<readonly unknown[]>;
}

/** Sends a piece of work through the taps of an {@link AroundHook}. */
export interface AroundCall<C> {
  readonly used: boolean;
  call<T>(context: C, work: () => Promise<T>): Promise<T>;
}

/** The engine's side of the table: it calls, and plugins never see it. */
export type HookCalls = {
  readonly [N in HookName]: EngineHooks[N] extends CalledBy<infer Call> ? NonNullable<Call> : never;
};
