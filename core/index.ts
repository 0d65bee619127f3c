/** The engine without built-in plugins, and every type of its interface. */

export type {
  Action,
  AnyHandlerPhase,
  Bytes,
  DestroyStrategy,
  FailureNote,
  HandlerPhase,
  Phase,
  ResourceRef,
  RunSummary,
  StageHolder,
} from "./base/index.js";
export {
  EngineError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  isEngineError,
  isUnknown,
  Later,
  RunFailedError,
} from "./base/index.js";
export type * from "./contract/defined-type.js";
export type * from "./contract/definition.js";
export type { Forecast, PlanContext } from "./contract/forecast.js";
export type {
  AnyEvent,
  ChildEnvironment,
  CommandLine,
  ConcealedText,
  Encoded,
  EngineEvents,
  EngineOptions,
  EnginePlugin,
  EventName,
  EventSource,
  ExecOptions,
  ExecResult,
  FinalizeOptions,
  Finished,
  Growing,
  Held,
  InheritedOptions,
  Input,
  KeyCommand,
  Leaf,
  Logger,
  OptionOrigins,
  PendingResource,
  PluginHost,
  PluginState,
  Position,
  ProcessRef,
  PropPath,
  Replace,
  ResolvedOptions,
  ResourceOptions,
  RetryPolicy,
  RunControl,
  RunInfo,
  RunOwner,
  SchemaIssue,
  SchemaResult,
  ScopeOptions,
  Sealer,
  SpawnOptions,
  StandardSchema,
  StateStore,
  StateStoreOption,
  StoreContext,
  StoreFactory,
  Tagged,
  TelemetryEvent,
  TelemetrySink,
  TelemetryValue,
  Timed,
  TunnelOptions,
  Vetoing,
  Whole,
  WriteOptions,
} from "./contract/index.js";
export { PartlyDeleted, Scope, SECRET_TO_COME } from "./contract/index.js";
export type * from "./contract/plan.js";
export type * from "./contract/plugin/hook-contexts.js";
export type * from "./contract/plugin/hook-table.js";
export type * from "./contract/plugin/state-key.js";
export type * from "./contract/plugin/value-contexts.js";
export type { ReferenceOptions, UpResult } from "./engine/index.js";
export { createEngine, type Engine, type EngineParts } from "./engine/index.js";
export type { Drift, DriftedResource } from "./plan/index.js";
export { definePlugin } from "./plugin/index.js";
export { Resource } from "./resource/index.js";
export type { Migrated } from "./state/index.js";
