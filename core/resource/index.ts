/** Types of resources: how they are defined, found by their kind, and what their handlers are given. */
export { HandlerContext, type HandlerRun } from "./context.js";
export { definitionOf, Resource } from "./define.js";
