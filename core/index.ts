/** The engine without built-in plugins, and every type of its interface. */

export {
  EngineError,
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  isEngineError,
  RunFailedError,
} from "./base/errors.js";
export type { FailureNote } from "./base/failure-note.js";
export type { Bytes } from "./base/node-types.js";
export { isUnknown } from "./base/unknown.js";
export type { Action, DestroyStrategy, HandlerPhase, Phase, ResourceRef, RunSummary } from "./base/vocabulary.js";
export { Later } from "./base/work/later.js";
export type * from "./contract/definition.js";
export type { FinalizeOptions } from "./contract/finalize-options.js";
export type { Input, Leaf, PropPath, Whole } from "./contract/inputs.js";
export type {
  EngineOptions,
  InheritedOptions,
  KeyCommand,
  Logger,
  OptionOrigins,
  ResolvedOptions,
  ScopeOptions,
} from "./contract/options.js";
export type { PendingResource } from "./contract/pending.js";
export type * from "./contract/plan.js";
export type {
  AnyEvent,
  EngineEvents,
  EventName,
  EventSource,
  Finished,
  ProcessRef,
  RunInfo,
  RunOwner,
  Timed,
} from "./contract/plugin/events.js";
export type * from "./contract/plugin/hook-contexts.js";
export type { Vetoing } from "./contract/plugin/hook-contexts.js";
export type * from "./contract/plugin/hook-table.js";
export type { EnginePlugin, PluginHost } from "./contract/plugin/plugin.js";
export type { PluginState } from "./contract/plugin/plugin-state.js";
export type { RunControl } from "./contract/plugin/run-control.js";
export type * from "./contract/plugin/state-key.js";
export type { Sealer } from "./contract/plugin/state-key.js";
export type * from "./contract/plugin/value-contexts.js";
export type { Replace, Tagged } from "./contract/plugin/value-contexts.js";
export { SECRET_TO_COME } from "./contract/plugin/value-contexts.js";
export type {
  ChildEnvironment,
  CommandLine,
  ConcealedText,
  ExecOptions,
  ExecResult,
  SpawnOptions,
  TunnelOptions,
} from "./contract/processes.js";
export type { Encoded, Position } from "./contract/record.js";
export type { ResourceOptions, RetryPolicy } from "./contract/resource-options.js";
export type { SchemaIssue, SchemaResult, StandardSchema } from "./contract/schema.js";
export { Scope } from "./contract/scope.js";
export type { Growing, StateStore, StateStoreOption, StoreContext, WriteOptions } from "./contract/store.js";
export type { TelemetryEvent, TelemetrySink, TelemetryValue } from "./contract/telemetry.js";
export { createEngine, type Engine, type EngineParts } from "./engine/engine.js";
export type { MigrationOptions } from "./engine/migration.js";
export type { ReferenceOptions } from "./engine/reference.js";
export type { UpResult } from "./engine/up.js";
export type { Drift, DriftedResource } from "./plan/drift.js";
export { definePlugin } from "./plugin/plugin.js";
export { Resource } from "./resource/define.js";
export { memoryStore } from "./state/memory.js";
export type { Migrated } from "./state/migration/migrate.js";
