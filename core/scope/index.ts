/** The methods of scopes. */
export { attachScope, forgetDeclarations, forgetScopes, scopeAt } from "./child.js";
export { type DataHome, deleteData, getData, homeOf, setData } from "./data.js";
export { outputsLocation, readOutputs, setOutputs } from "./outputs.js";
export { addCleanup, deferIn, runChild, runCleanup, runCleanupNow, runScope } from "./run-scope.js";
