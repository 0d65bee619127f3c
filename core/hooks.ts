/** The hook table: where a plugin may change, delay or fail a run. The only file that imports tapable. */
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncWaterfallHook } from "tapable";
import { EngineError, messageOf } from "./errors.js";
import type {
  ApplyContext,
  ApplyFailedContext,
  CleanupContext,
  DecodeContext,
  DeleteContext,
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

type Awaited1<R> = R | Promise<R>;
export type SeriesHook<C> = Tappable<C, Awaited1<void>>;
export type FirstAnswerHook<C, R> = Tappable<C, Awaited1<R | undefined>>;
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
  readonly beforeDelete: SeriesHook<DeleteContext>;
  readonly afterDelete: SeriesHook<DeleteContext>;
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
  call(context: C): C;
}
export interface EveryCall<C> {
  /** Resolves with the errors of all taps. */
  call(context: C): Promise<readonly unknown[]>;
}

type CallOf<H> =
  H extends Tappable<infer C, infer R>
    ? [R] extends [C]
      ? WaterfallCall<C>
      : [Awaited1<void>] extends [R]
        ? SeriesCall<C>
        : R extends Promise<infer A>
          ? FirstAnswerCall<C, Exclude<A, undefined>>
          : SyncFirstAnswerCall<C, Exclude<R, undefined>>
    : never;

/** The engine's side of the table: it calls, and plugins never see it. */
export type HookCalls = { readonly [N in Exclude<HookName, "cleanup">]: CallOf<EngineHooks[N]> } & {
  readonly cleanup: EveryCall<CleanupContext>;
};

type Tap = (plugin: string, fn: (context: never) => unknown) => void;
