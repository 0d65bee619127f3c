/** What `engine()` and declarations are given: checked, completed, told by name where it is wrong. */
export { checkOptions, checkResourceOptions, describeNoStore, isStore } from "./option-rules.js";
export { dropUndefined, resolveOptions, resolveStage, scopeOptions } from "./resolve-options.js";
export { pathsTo, TargetPattern, TargetPatterns } from "./target-pattern.js";
