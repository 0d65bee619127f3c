/** The hook table, types only: where a plugin may change, delay or fail a run, and how the engine asks. */
import type {
  ApplyContext,
  ApplyFailedContext,
  CleanupContext,
  DecodeContext,
  Decoded,
  DeletionContext,
  EncodeContext,
  FinalizeContext,
  KindContext,
  OptionsContext,
  PropsContext,
  PruneContext,
  RedactContext,
  ScopeContext,
  SealContext,
  StateContext,
  TunnelContext,
  UnsealContext,
} from "./hook-contexts.js";
import type { Later } from "./later.js";
import type { Definition } from "./resource/definition.js";
import type { Encoded } from "./state/record.js";
import type { StateStore, StoreContext } from "./state/store.js";

/** What a plugin holds of a hook: it can tap, not call. Taps run in the order of installation. */
export interface Tappable<C, R> {
  /** @param plugin name of the plugin, for error messages */
  tap(plugin: string, fn: (context: C) => R): void;
}

type MaybePromise<R> = R | Promise<R>;
/** A hook whose taps run one after the other; the first that throws ends it. */
export type SeriesHook<C> = Tappable<C, MaybePromise<void>>;
/** A hook whose taps run until one answers. */
export type FirstAnswerHook<C, R> = Tappable<C, MaybePromise<R | undefined>>;
/** A hook whose taps run until one answers, none of which may take time. */
export type SyncFirstAnswerHook<C, R> = Tappable<C, R | undefined>;
/** A hook whose taps each return the context that the next one gets. */
export type WaterfallHook<C> = Tappable<C, C>;

/** Every hook of an engine, in the order in which a run reaches them. */
export interface EngineHooks {
  /** Fill in options that nobody gave. Synchronous; each tap returns the context that the next one gets. */
  readonly options: WaterfallHook<OptionsContext>;
  /** Choose the store where the `stateStore` option is absent. The first answer wins. */
  readonly stateStore: FirstAnswerHook<StoreContext, StateStore>;
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
  /** Give a local port a public URL, until `cleanup`. The first answer wins. */
  readonly tunnel: FirstAnswerHook<TunnelContext, string>;
  /** Take out of a text for people what must not be seen. Synchronous; each tap returns the context that the next one gets. */
  readonly redact: WaterfallHook<RedactContext>;
  /** Lock a text away, e.g. what goes into a recovery file. Synchronous; the first answer wins. */
  readonly seal: SyncFirstAnswerHook<SealContext, string>;
  /** Give back what `seal` made. */
  readonly unseal: FirstAnswerHook<UnsealContext, string>;
  /** The engine lets go of an app; every tap runs, errors are collected. */
  readonly cleanup: SeriesHook<CleanupContext>;
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

/** The engine's side of the table: it calls, and plugins never see it. */
export interface HookCalls {
  readonly options: WaterfallCall<OptionsContext>;
  readonly stateStore: FirstAnswerCall<StoreContext, StateStore>;
  readonly stateLoaded: SeriesCall<StateContext>;
  readonly scopeCreated: SeriesCall<ScopeContext>;
  readonly encodeValue: SyncFirstAnswerCall<EncodeContext, Encoded | Later<Encoded>>;
  readonly decodeValue: SyncFirstAnswerCall<DecodeContext, Decoded | Later<Decoded>>;
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
  readonly redact: WaterfallCall<RedactContext>;
  readonly seal: SyncFirstAnswerCall<SealContext, string>;
  readonly unseal: FirstAnswerCall<UnsealContext, string>;
  readonly cleanup: EveryCall<CleanupContext>;
}
