/** Types of resources: how they are defined, found by their kind, and what their handlers are given. */
export { DestroySignal, HandlerContext, type HandlerRun, ReplaceSignal } from "./context.js";
export { definitionOf, Resource } from "./define.js";
