/** Connects the modules: `createEngine()`, and a run from its start to its end. */

export { detachedAppOf, handedOn } from "./app-parts.js";
export { type CoreEngine, createEngine, type EngineParts, makeDetachedApp, type UpResult } from "./engine.js";
export { asEngineError, chooseStore, sessionSettings, storeOf } from "./open-state.js";
