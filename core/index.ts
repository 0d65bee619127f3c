/** The engine without built-in plugins, and every type of its interface. */
export { createEngine, type Engine, type EngineParts } from "./engine.js";
export { EngineError, type ErrorCode, type ErrorDetails, errorCodes, isEngineError, RunFailedError } from "./errors.js";
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
} from "./events.js";
export type { FailureNote } from "./failure-note.js";
export type * from "./hook-contexts.js";
export type * from "./hook-table.js";
export { Later } from "./later.js";
export type { MigrationOptions } from "./migration.js";
export type { Bytes } from "./node-types.js";
export type {
  EngineOptions,
  InheritedOptions,
  KeyCommand,
  Logger,
  OptionOrigins,
  ResolvedOptions,
  ScopeOptions,
} from "./options.js";
export type { Drift, DriftedResource } from "./plan/drift.js";
export type * from "./plan/plan.js";
export { definePlugin, type EnginePlugin, type PluginHost } from "./plugin.js";
export type { CommandLine } from "./process/command-line.js";
export type { ChildEnvironment, ConcealedText } from "./process/environment.js";
export type { ExecOptions, ExecResult } from "./process/exec.js";
export type { SpawnOptions } from "./process/spawn.js";
export type { ReferenceOptions } from "./reference.js";
export { Resource } from "./resource/define.js";
export type * from "./resource/definition.js";
export type { Input, Leaf, Whole } from "./resource/inputs.js";
export type { ResourceOptions, RetryPolicy } from "./resource/options.js";
export type { PendingResource } from "./resource/pending.js";
export type { PropPath } from "./resource/prop-path.js";
export type { SchemaIssue, SchemaResult, StandardSchema } from "./resource/schema.js";
export { isUnknown } from "./resource/unknown.js";
export type { RunControl } from "./run-control.js";
export type { FinalizeOptions } from "./scope/finalize-options.js";
export { Scope } from "./scope/scope.js";
export type { TunnelOptions } from "./scope/tunnel.js";
export { memoryStore } from "./state/memory.js";
export type { Migrated } from "./state/migrate.js";
export type { PluginState } from "./state/plugin-state.js";
export type { Encoded, Position } from "./state/record.js";
export type { Replace, Tagged } from "./state/rewrite.js";
export type { Sealer } from "./state/sealer.js";
export type * from "./state/state-key.js";
export type { Growing, StateStore, StateStoreOption, StoreContext, WriteOptions } from "./state/store.js";
export type { TelemetryEvent, TelemetrySink, TelemetryValue } from "./telemetry.js";
export type { UpResult } from "./up.js";
export type * from "./value-contexts.js";
export { SECRET_TO_COME } from "./value-contexts.js";
export type { Vetoing } from "./veto.js";
export type { Action, DestroyStrategy, HandlerPhase, Phase, ResourceRef, RunSummary } from "./vocabulary.js";
