/** The hook table: where a plugin may change, delay or fail a run. Plugins tap hooks and the engine calls them. */

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

/** Options of a tap that the engine adds to those of tapable. */
export interface OwnTapOptions {
  /**
   * Also call the tap in plans, if the hook may refuse something. `context.planned` is true then, and the tap must
   * change nothing and ask nobody. Its vetoes appear in the plan. Default: false.
   */
  readonly inPlans?: boolean;
  /**
   * Call the tap after all taps without this option, of all stages, e.g. to ask only about the resources that the
   * others have left. Default: false.
   */
  readonly last?: boolean;
}

/** Options of a tap: its plugin, and its place in the order. */
export interface TapOptions extends OwnTapOptions {
  /** Name of the plugin, for error messages and for `before` of others. */
  readonly name: string;
  /** Order of the tap: a smaller number is called earlier. Default: 0. */
  readonly stage?: number;
  /** Name of an existing tap that this one is called before. */
  readonly before?: string;
}

/** Methods of a tapable hook that a plugin gets: it can tap, but not call. */
type Asynchronous = "tap" | "tapPromise" | "tapAsync" | "intercept" | "isUsed" | "withOptions";
type Synchronous = "tap" | "intercept" | "isUsed" | "withOptions";

/** A hook whose taps run one after the other; the first one that throws ends it. */
export type SeriesHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous>;
/** A hook whose taps all run, even if others fail. */
export type EveryHook<C> = Pick<AsyncSeriesHook<[C], OwnTapOptions>, Asynchronous>;
/** A hook whose taps run until one answers. */
export type FirstAnswerHook<C, R> = Pick<AsyncSeriesBailHook<[C], R | undefined, OwnTapOptions>, Asynchronous>;
/** A synchronous hook whose taps run until one answers. */
export type SyncFirstAnswerHook<C, R> = Pick<SyncBailHook<[C], R | undefined, OwnTapOptions>, Synchronous>;
/** A hook whose taps each return the context that the next one gets. */
export type WaterfallHook<C> = Pick<SyncWaterfallHook<[C], C, OwnTapOptions>, Synchronous>;

/**
 * A tap around a piece of work. It calls `next` once, awaits it, and returns its result. `next` runs the next tap, and
 * finally the work. An error that the tap throws replaces the error of the work.
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

/** A hook whose taps wrap a piece of work, the first tap outermost. tapable has no such class. */
export interface AroundHook<C> {
  /** Adds a tap. @param options name of the plugin, or options of the tap */
  tapPromise(options: string | TapOptions, fn: Around<C>): void;
  /** Returns true if the hook has taps. */
  isUsed(): boolean;
  /** Returns the hook with default options for the taps that are added through it. */
  withOptions(options: Partial<TapOptions>): AroundHook<C>;
}

/** One row of the table: the kind of a hook. The types of its context and answer exist only at compile time. */
interface Row<K extends keyof Kinds<never, never>, C, R> {
  readonly kind: K;
  readonly types?: (context: C) => R;
}

/** For each kind of hook: the type that plugins tap, and the result that the engine gets. */
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

/** All hooks of an engine, in the order in which a run reaches them. */
export const HOOKS = Object.freeze({
  /** Fill in options that were not given. Synchronous; each tap returns the context that the next one gets. */
  options: waterfall<OptionsContext>(),
  /** Choose the store if the `stateStore` option is absent or a URL. The first answer wins. */
  stateStore: firstAnswer<StoreContext, StateStore>(),
  /** Wrap each request to the store, e.g. to time it. */
  storeRequest: around<StoreRequestContext>(),
  /**
   * Provide the key that proves that runs with it have written the state of a stage. Synchronous; the first answer
   * wins.
   */
  stateKey: syncFirstAnswer<StateKeyContext, StateKey>(),
  /** React to the loaded state; a throwing tap fails the run. */
  stateLoaded: series<StateContext>(),
  /** React to a new scope; a throwing tap fails it. */
  scopeCreated: series<ScopeContext>(),
  /**
   * Encode a value that the codec does not know; the first answer wins. Synchronous; for an asynchronous answer, return
   * a `Later`.
   */
  encodeValue: syncFirstAnswer<EncodeContext, Encoded | Later<Encoded>>(),
  /**
   * Decode a tag that the codec does not know; the first answer wins. Synchronous; for an asynchronous answer, return a
   * `Later`.
   */
  decodeValue: syncFirstAnswer<DecodeContext, Decoded | Later<Decoded>>(),
  /** Supply the definition of a recorded kind that no module has defined. */
  resolveKind: firstAnswer<KindContext, Definition>(),
  /** Replace the props of a declaration before they are validated and compared. */
  props: series<PropsContext>(),
  /** Veto or delay a create, update, replace or adoption. */
  beforeApply: series<BeforeApplyContext>(),
  /** Wrap each call of a handler, e.g. to trace it. */
  handler: around<HandlerCallContext>(),
  /** React to a create, update, replace or adoption that succeeded. */
  afterApply: series<ApplyContext>(),
  /** React to a create, update, replace or adoption that failed. */
  applyFailed: series<ApplyFailedContext>(),
  /** Veto or delay a delete. */
  beforeDelete: series<BeforeDeleteContext>(),
  /** React to a delete that succeeded. */
  afterDelete: series<DeletionContext>(),
  /** React to a delete that failed. */
  deleteFailed: series<DeleteFailedContext>(),
  /** Keep items of a prune, or veto it as a whole. */
  beforePrune: series<PruneContext>(),
  /** Clean up a plugin's own data for a scope that has no undeclared resources left, including its child scopes. */
  scopePruned: series<ScopeContext>(),
  /** Veto a request to destroy a stage, a scope or a resource. */
  beforeDestroy: series<DestroyContext>(),
  /**
   * Clean up a plugin's own data for a scope whose resources were all destroyed on request, including its child scopes.
   */
  scopeDestroyed: series<ScopeContext>(),
  /** Veto the rest of finalize, after all declarations have settled. */
  beforeFinalize: series<BeforeFinalizeContext>(),
  /** React to the end of finalize. */
  afterFinalize: series<FinalizeContext>(),
  /** Answer a question that a plugin asks with `ask` of its host. The first answer wins. */
  ask: firstAnswer<AskContext, boolean>(),
  /** Implement a call of `scope.exec`. Synchronous; the first answer wins. */
  exec: syncFirstAnswer<ExecContext, ProcessCall<ExecResult>>(),
  /** Implement a call of `scope.spawn`. Synchronous; the first answer wins. */
  spawn: syncFirstAnswer<SpawnContext, ProcessCall<string | undefined>>(),
  /** Give a local port a public URL until `cleanup`. The first answer wins. */
  tunnel: firstAnswer<TunnelContext, string>(),
  /** Remove secrets from a text for people. Synchronous; each tap returns the context that the next one gets. */
  redact: waterfall<RedactContext>(),
  /** Encrypt a text, e.g. the contents of a recovery file. Synchronous; the first answer wins. */
  seal: syncFirstAnswer<SealContext, string>(),
  /** Decrypt a text that `seal` encrypted. */
  unseal: firstAnswer<UnsealContext, string>(),
  /** Clean up when the engine releases an app. Every tap runs, and errors are collected. */
  cleanup: every<CleanupContext>(),
});

/** The name of a hook. */
export type HookName = keyof typeof HOOKS;

type View<T, Side extends 0 | 1> = T extends Row<infer K, infer C, infer R> ? Kinds<C, R>[K][Side] : never;
type ContextOf<T> = T extends Row<keyof Kinds<never, never>, infer C, unknown> ? C : never;

// Mapped over `keyof typeof HOOKS` directly, so that each member keeps the documentation of its row.
type TappedHooks = { readonly [N in keyof typeof HOOKS]: View<(typeof HOOKS)[N], 0> };

/** All hooks of an engine, in the order in which a run reaches them. */
export interface EngineHooks extends TappedHooks {}

/** A hook as the engine calls it. While `used` is false, it has no taps, and checking this costs nothing. */
interface Call<C, Result> {
  readonly used: boolean;
  call(context: C): Result;
}

/** A hook around work, as the engine calls it: runs the work through the taps of an {@link AroundHook}. */
interface AroundCall<C> {
  readonly used: boolean;
  call<T>(context: C, work: () => Promise<T>): Promise<T>;
}

type CallOf<T> = T extends Row<"around", infer C, void> ? AroundCall<C> : Call<ContextOf<T>, View<T, 1>>;

/**
 * The engine's side of the table, which plugins never get. A call of an `every` hook resolves with the errors of all
 * taps.
 */
export type HookCalls = { readonly [N in HookName]: CallOf<(typeof HOOKS)[N]> };
