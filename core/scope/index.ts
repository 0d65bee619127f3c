/** What scopes do. */
export { forgetDeclarations, scopeAt } from "./child.js";
export { addCleanup, runCleanup, runCleanupNow } from "./cleanup.js";
export { type DataHome, deleteData, getData, homeOf, setData } from "./data.js";
export { outputsLocation, readOutputs, setOutputs } from "./outputs.js";
export { deferIn, runChild, runScope } from "./run-scope.js";
