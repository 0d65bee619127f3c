/** The rooms put together: `createEngine()`, and a run from its start to its end. */

export { detachedAppOf, handedOn } from "./app-parts.js";
export type { UpResult } from "./calls.js";
export { type CoreEngine, createEngine, type EngineParts, makeDetachedApp } from "./engine.js";
export { asEngineError, chooseStore, sessionSettings, storeOf } from "./open-state.js";
