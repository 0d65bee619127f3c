/** The engine without built-in plugins, and every type of its interface. */
export { createEngine, type Engine, type EngineParts } from "./engine.js";
export { EngineError, type ErrorCode, type ErrorDetails, errorCodes, isEngineError, RunFailedError } from "./errors.js";
export type { AnyEvent, EngineEvents, EventName, EventSource, Finished } from "./events.js";
export type * from "./hook-contexts.js";
export type * from "./hook-table.js";
export type { EngineOptions, Logger, OptionOrigins, ResolvedOptions, ScopeOptions } from "./options.js";
export { definePlugin, type EnginePlugin, type PluginHost } from "./plugin.js";
export { Resource } from "./resource/define.js";
export type * from "./resource/definition.js";
export type { Input, Leaf } from "./resource/inputs.js";
export type { PendingResource } from "./resource/pending.js";
export type { SchemaIssue, SchemaResult, StandardSchema } from "./resource/schema.js";
export type { RunControl } from "./run-control.js";
export { type FinalizeOptions, Scope } from "./scope/scope.js";
export { memoryStore } from "./state/memory.js";
export type { Encoded, Position } from "./state/record.js";
export type { Growing, StateStore, StateStoreOption, StoreContext, WriteOptions } from "./state/store.js";
export type { Action, DestroyStrategy, HandlerPhase, Phase, ResourceRef, RunSummary } from "./vocabulary.js";
