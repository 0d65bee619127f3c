/** The engine without built-in plugins. */
export { type ErrorCode, errorCodes, isUnknown } from "./base/index.js";
export { createEngine, type Engine, type EngineParts } from "./engine/index.js";
