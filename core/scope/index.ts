/** What scopes do, and what they need of the run that they belong to. */
export { forgetDeclarations } from "./child.js";
export { addCleanup, CleanupStack, runCleanup, runCleanupNow } from "./cleanup.js";
export { type DataHome, deleteData, getData, homeOf, setData } from "./data.js";
export { DeferredQueue, deferIn } from "./deferred.js";
export { type DeclarationCall, hostOf, type ScopeGeneration, type ScopeHost } from "./host.js";
export { outputsLocation, readOutputs, setOutputs } from "./outputs.js";
export { runChild } from "./run-child.js";
export { isTooLate, RunProgress, tooLate } from "./run-progress.js";
export { runScope } from "./run-scope.js";
export { scopeAt } from "./scope-at.js";
export { ScopeRuns } from "./scope-runs.js";
