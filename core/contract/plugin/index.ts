/** The interface for plugins: hooks and the contexts of their taps, events, and the run. */
export { Later } from "../../base/index.js";
export type { Definition } from "../defined-type.js";
export type { ResolvedOptions } from "../options.js";
export type { Encoded } from "../record.js";
export type { AnyEvent, EngineEvents, EventName, EventOf, EventSource, RunInfo, RunOwner } from "./events.js";
export type {
  ApplyContext,
  ApplyFailedContext,
  AskContext,
  AskedDelete,
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
  PruneItem,
  RecordedResource,
  RecordedState,
  ScopeContext,
  SpawnContext,
  StateContext,
  StateKeyContext,
  StoreOperation,
  StoreRequestContext,
  TunnelContext,
  Vetoing,
} from "./hook-contexts.js";
export type {
  AroundHook,
  EngineHooks,
  EveryHook,
  FirstAnswerHook,
  HookName,
  SeriesHook,
  SyncFirstAnswerHook,
  TapOptions,
  WaterfallHook,
} from "./hook-table.js";
export type { EnginePlugin, PluginHost, PluginState, RunControl, RunStatus } from "./plugin.js";
export type { SeenState, StateKey, UntrustedState } from "./value-contexts.js";
export {
  type DecodeContext,
  type Decoded,
  type EncodeContext,
  type RedactContext,
  SECRET_TO_COME,
  type SealContext,
  type UnsealContext,
} from "./value-contexts.js";
