/**
 * The contract between the engine and the code around it: scopes, definitions, options, hooks, events, stores, plans.
 */
export {
  currentScope,
  enclosingRuns,
  handlerOf,
  isInHandler,
  isLive,
  isRunningIn,
  leaveScopes,
  liveRoots,
  runInScope,
  runningHandlerOf,
  runOutsideScopes,
  type ScopeRun,
  setLive,
} from "./current.js";
export type { DefinedHandlers, Definition, Forecast, HandlerCall, PlanContext } from "./defined-type.js";
export { outputLeft, PartlyDeleted } from "./defined-type.js";
export type {
  Context,
  CreateContext,
  DeleteContext,
  Handler,
  HandlerBase,
  HandlersDefinition,
  LocalHandlers,
  OutputsContext,
  ReadContext,
  ResourceType,
  UpdateContext,
} from "./definition.js";
export {
  type Input,
  type PropPath,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  validate,
  WHOLE,
  type Whole,
} from "./inputs.js";
export {
  dataOwner,
  folderOf,
  formerKeysIn,
  fqnIn,
  INTERNALS,
  idOf,
  keyIn,
  refIn,
  type ScopeInternals,
  type ScopeMethods,
} from "./internals.js";
export type {
  EngineOptions,
  FinalizeOptions,
  InheritedOptions,
  KeyCommand,
  Logger,
  OptionOrigins,
  ResolvedOptions,
  ResourceOptions,
  RetryPolicy,
  ScopeOptions,
  TelemetryEvent,
  TelemetrySink,
  TelemetryValue,
} from "./options.js";
export { isPendingResource, markPending, type PendingIdentity, type PendingResource } from "./pending.js";
export type {
  Plan,
  PlanError,
  PlanNote,
  PlannedAction,
  PlannedDeletion,
  PropertyChange,
  StatePosition,
} from "./plan.js";
export type {
  AnyEvent,
  EngineEvents,
  EventBus,
  EventName,
  EventSource,
  Held,
  RunInfo,
  RunOwner,
} from "./plugin/events.js";
export type {
  ApplyContext,
  AskContext,
  AskedDelete,
  DeletionContext,
  ExecContext,
  FinalizeContext,
  HandlerCallContext,
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
  Vetoing,
} from "./plugin/hook-contexts.js";
export {
  type Around,
  type AroundHook,
  type EngineHooks,
  HOOKS,
  type HookCalls,
  type HookName,
  type TapOptions,
} from "./plugin/hook-table.js";
export type { EnginePlugin, PluginHost, PluginState, RunControl, RunStatus } from "./plugin/plugin.js";
export type { OpenedKey, Sealer, SeenPosition, SeenState, StateKey, UntrustedState } from "./plugin/value-contexts.js";
export {
  type DecodeContext,
  type Decoded,
  type EncodeContext,
  type Replace,
  SECRET_TO_COME,
  type Tagged,
  type ValueContext,
  type ValueSlot,
} from "./plugin/value-contexts.js";
export type {
  ChildEnvironment,
  CommandLine,
  ExecOptions,
  ExecResult,
  SpawnOptions,
  TunnelOptions,
} from "./processes.js";
export {
  checkNamed,
  type DeletionCause,
  type Encoded,
  type FailedDeletion,
  forgetCommand,
  isAdoption,
  isNotWhole,
  isOfUnknownOrigin,
  isPending,
  isPluginOwner,
  isResourceOwner,
  isScopeOwner,
  outputsOwner,
  type Position,
  pluginOwner,
  type RecordStatus,
  type ResourceRecord,
  recordIn,
  retainedOwner,
  scopeOwner,
  shaped,
} from "./record.js";
export { Scope } from "./scope.js";
export {
  type Growing,
  isForeignKeyv,
  isGrowing,
  isKeyvLike,
  type KeyvLike,
  missingMethods,
  type StateStore,
  type StateStoreOption,
  type StoreContext,
  type StoreFactory,
  type WriteOptions,
} from "./store.js";
