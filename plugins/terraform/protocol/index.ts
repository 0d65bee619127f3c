export { launchProvider } from "./launch-provider.js";
export type { LogLevel, ProviderLaunch } from "./process/index.js";
export type {
  AppliedChange,
  ApplyInput,
  DeferredReason,
  Diagnostic,
  ImportedResource,
  PathStep,
  PlanInput,
  PlannedChange,
  ProviderClient,
  RawState,
  ReadAnswer,
  ReadInput,
  Typed,
} from "./provider-client.js";
