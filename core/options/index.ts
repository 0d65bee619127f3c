/** Checks and completes the options of `engine()` and of declarations; errors name the option. */
export { checkOptions, checkResourceOptions, describeNoStore, isStore } from "./option-rules.js";
export { dropUndefined, resolveOptions, resolveStage, scopeOptions } from "./resolve-options.js";
export { pathsTo, TargetPattern, TargetPatterns } from "./target-pattern.js";
