/** What one run knows: declarations, failures, waits, what it may delete, how it carries things out. */
export { Admission } from "./admission.js";
export { type Move, movedHere, placeTaken, stillDeclared } from "./aliases.js";
export { type App, appOf, type Refreshed } from "./app.js";
export { askBeforeApply, askBeforeDelete, askBeforeDestroy, askBeforeFinalize, askBeforePrune } from "./ask-plugins.js";
export { Declared } from "./declared.js";
export { emitDrift, emitFinished, emitQueued, emitSkipped, emitStarted } from "./emit.js";
export { Generation } from "./generation.js";
export { DeleteLimit } from "./limits/delete-limit.js";
export { refusals, refuseProtected, refuseReplace, retainedOf, withoutProtected } from "./limits/protection.js";
export { unmatchedErrors } from "./limits/unmatched.js";
export { callAfterwards, callScopeHook } from "./notify-plugins.js";
export { refuseInside, refuseItself } from "./own-handler.js";
export { isPartial, partlyDone, settlePartial } from "./partial.js";
export type { Performer, Planning } from "./performer.js";
export { originOf, References } from "./references.js";
export type {
  Compared,
  Declaration,
  DeleteReason,
  DeleteRequest,
  Execution,
  FoundOutput,
  Signal,
  Task,
} from "./task.js";
export { tryToRecord } from "./try-to-record.js";
