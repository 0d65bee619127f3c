/** Resource types: their definitions, their lookup by kind, and the context of their handlers. */
export { HandlerContext, type HandlerRun } from "./context.js";
export { definitionOf, Resource } from "./define.js";
