/** What one run knows: declarations, failures, waits, what it may delete, how it carries things out. */
export { Admission } from "./admission.js";
export { type Move, movedHere, placeTaken, stillDeclared } from "./aliases.js";
export { type App, appOf, type Refreshed } from "./app.js";
export {
  askBeforeApply,
  askBeforeDelete,
  askBeforeDestroy,
  askBeforeFinalize,
  askBeforePrune,
  callAfterwards,
  callScopeHook,
} from "./ask-plugins.js";
export { Generation } from "./generation.js";
export {
  DeleteLimit,
  refusals,
  refuseProtected,
  refuseReplace,
  retainedOf,
  withoutProtected,
} from "./limits/deletes.js";
export { unmatchedErrors } from "./limits/unmatched.js";
export {
  AnyOperation,
  type Attempt,
  type DeleteReason,
  type DeleteRequest,
  type FoundOutput,
  type Operation,
  type Performer,
  type Planning,
  type Signal,
} from "./operation.js";
export { originOf, References } from "./references.js";
export {
  emitDrift,
  emitFinished,
  emitQueued,
  emitSkipped,
  emitStarted,
  isPartial,
  partlyDone,
  settlePartial,
  tryToRecord,
} from "./reports.js";
export { Declared, refuseInside, refuseItself } from "./waits.js";
