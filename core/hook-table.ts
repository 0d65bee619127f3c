/** The hook table, types only: where a plugin may change, delay or fail a run, and how the engine asks. */
import type {
  ApplyContext,
  ApplyFailedContext,
  CleanupContext,
  DecodeContext,
  DeletionContext,
  EncodeContext,
  FinalizeContext,
  KindContext,
  OptionsContext,
  PropsContext,
  PruneContext,
  ScopeContext,
  TunnelContext,
} from "./hook-contexts.js";
import type { Definition } from "./resource/definition.js";
import type { Encoded } from "./state/record.js";
import type { StateStore, StoreContext } from "./state/store.js";

/** What a plugin holds of a hook: it can tap, not call. Taps run in the order of installation. */
export interface Tappable<C, R> {
  /** @param plugin name of the plugin, for error messages */
  tap(plugin: string, fn: (context: C) => R): void;
}

type MaybePromise<R> = R | Promise<R>;
export type SeriesHook<C> = Tappable<C, MaybePromise<void>>;
export type FirstAnswerHook<C, R> = Tappable<C, MaybePromise<R | undefined>>;
export type SyncFirstAnswerHook<C, R> = Tappable<C, R | undefined>;
export type WaterfallHook<C> = Tappable<C, C>;

/** Every hook of an engine, in the order in which a run reaches them. */
export interface EngineHooks {
  /** Fill in options that nobody gave. Synchronous; each tap returns the context that the next one gets. */
  readonly options: WaterfallHook<OptionsContext>;
  /** Choose the store where the `stateStore` option is absent. The first answer wins. */
  readonly stateStore: FirstAnswerHook<StoreContext, StateStore>;
  /** A scope was made; a throwing tap fails it. */
  readonly scopeCreated: SeriesHook<ScopeContext>;
  /** Encode a value that the codec does not know. Synchronous; the first answer wins. */
  readonly encodeValue: SyncFirstAnswerHook<EncodeContext, Encoded>;
  /** Decode a tag that the codec does not know. Synchronous; the first answer wins. */
  readonly decodeValue: SyncFirstAnswerHook<DecodeContext, { readonly value: unknown }>;
  /** Supply the definition of a recorded kind that nobody imported. */
  readonly resolveKind: FirstAnswerHook<KindContext, Definition>;
  /** Replace the props of a declaration before they are validated and compared. */
  readonly props: SeriesHook<PropsContext>;
  /** Veto (throw) or delay a create, update or replace. */
  readonly beforeApply: SeriesHook<ApplyContext>;
  readonly afterApply: SeriesHook<ApplyContext>;
  readonly applyFailed: SeriesHook<ApplyFailedContext>;
  /** Veto (throw) or delay a delete. */
  readonly beforeDelete: SeriesHook<DeletionContext>;
  readonly afterDelete: SeriesHook<DeletionContext>;
  /** Keep items of a prune, or refuse it as a whole (throw). */
  readonly beforePrune: SeriesHook<PruneContext>;
  readonly beforeFinalize: SeriesHook<FinalizeContext>;
  readonly afterFinalize: SeriesHook<FinalizeContext>;
  /** Give a local port a public URL. Reserved for the `tunnel` option. */
  readonly tunnel: FirstAnswerHook<TunnelContext, string>;
  /** The engine lets go of an app; every tap runs, errors are collected. */
  readonly cleanup: SeriesHook<CleanupContext>;
}

export type HookName = keyof EngineHooks;

/** Calls of the engine; `used` is false, at no cost, while nobody has tapped. */
export interface SeriesCall<C> {
  readonly used: boolean;
  call(context: C): Promise<void>;
}
export interface FirstAnswerCall<C, R> {
  readonly used: boolean;
  call(context: C): Promise<R | undefined>;
}
export interface SyncFirstAnswerCall<C, R> {
  readonly used: boolean;
  call(context: C): R | undefined;
}
export interface WaterfallCall<C> {
  readonly used: boolean;
  call(context: C): C;
}
export interface EveryCall<C> {
  readonly used: boolean;
  /** Resolves with the errors of all taps. */
  call(context: C): Promise<readonly unknown[]>;
}

/** The engine's side of the table: it calls, and plugins never see it. */
export interface HookCalls {
  readonly options: WaterfallCall<OptionsContext>;
  readonly stateStore: FirstAnswerCall<StoreContext, StateStore>;
  readonly scopeCreated: SeriesCall<ScopeContext>;
  readonly encodeValue: SyncFirstAnswerCall<EncodeContext, Encoded>;
  readonly decodeValue: SyncFirstAnswerCall<DecodeContext, { readonly value: unknown }>;
  readonly resolveKind: FirstAnswerCall<KindContext, Definition>;
  readonly props: SeriesCall<PropsContext>;
  readonly beforeApply: SeriesCall<ApplyContext>;
  readonly afterApply: SeriesCall<ApplyContext>;
  readonly applyFailed: SeriesCall<ApplyFailedContext>;
  readonly beforeDelete: SeriesCall<DeletionContext>;
  readonly afterDelete: SeriesCall<DeletionContext>;
  readonly beforePrune: SeriesCall<PruneContext>;
  readonly beforeFinalize: SeriesCall<FinalizeContext>;
  readonly afterFinalize: SeriesCall<FinalizeContext>;
  readonly tunnel: FirstAnswerCall<TunnelContext, string>;
  readonly cleanup: EveryCall<CleanupContext>;
}
