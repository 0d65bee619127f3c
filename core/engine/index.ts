/** The rooms put together: `createEngine()`, and a run from its start to its end. */

export type { Drift, DriftedResource } from "../plan/index.js";
export { type EngineApp, engineAppOf } from "./app-parts.js";
export { detachedAppOf, handedOn } from "./detached-app.js";
export { createEngine, type Engine, type EngineParts, makeDetachedApp } from "./engine.js";
export { asEngineError, chooseStore, sessionSettings, storeOf } from "./open-state.js";
export { driftOf, planOf } from "./preview.js";
export type { ReferenceOptions } from "./reference.js";
export type { UpResult } from "./up.js";
