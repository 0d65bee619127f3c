/** What one run knows: declarations, failures, waits, what it may delete, the plan that it makes or keeps to. */
export { Admission } from "./admission.js";
export { stillDeclared } from "./aliases.js";
export { type App, appOf, type Refreshed } from "./app.js";
export { askBeforeApply, askBeforeDelete, askBeforeDestroy, askBeforeFinalize, askBeforePrune } from "./ask-plugins.js";
export { BoundPlan } from "./bound.js";
export { Declared } from "./declared.js";
export { Generation } from "./generation.js";
export { boundsOf } from "./limits/bounds.js";
export { DeleteLimit } from "./limits/delete-limit.js";
export { refusals, refuse, refuseProtected, refuseReplace, retainedOf, withoutProtected } from "./limits/protection.js";
export { unmatchedErrors } from "./limits/unmatched.js";
export { refuseInside, refuseItself } from "./own-handler.js";
export { isPartial, partlyDone, settlePartial } from "./partial.js";
export { Planner, planError } from "./planner.js";
export { originOf, References } from "./references.js";
export type { Compared, Declaration, DeleteReason, Doomed, Task } from "./task.js";
export { tellFinished, tellQueued, tellSkipped, tellStarted } from "./told.js";
export { tryToRecord } from "./try-to-record.js";
