/** What scopes do, and what they need of the run that they belong to. */
export { forgetDeclarations, scopeAt } from "./child.js";
export { addCleanup, CleanupStack, runCleanup, runCleanupNow } from "./cleanup.js";
export { type DataHome, deleteData, getData, homeOf, setData } from "./data.js";
export { DeferredQueue, deferIn } from "./deferred.js";
export { hostOf, type ScopeGeneration, type ScopeHost } from "./host.js";
export { outputsLocation, readOutputs, setOutputs } from "./outputs.js";
export { runChild, runScope } from "./run-scope.js";
export { isTooLate, RunProgress, ScopeRuns, tooLate } from "./scope-runs.js";
