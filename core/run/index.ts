/** An app and its present run: declarations, operations, failures, waits, limits, and the performer. */
export { Admission } from "./admission.js";
export {
  aliasBlocked,
  type Move,
  movedHere,
  scopeClaimedTwice,
  scopeStillRun,
  stillDeclared,
} from "./aliases.js";
export { type App, appOf, type ChosenStore, type EngineSettings, type MakeApp } from "./app.js";
export {
  askBeforeApply,
  askBeforeDelete,
  askBeforeDestroy,
  askBeforeFinalize,
  askBeforePrune,
  callAfterwards,
  callScopeHook,
} from "./ask-plugins.js";
export { CleanupStack } from "./deferred.js";
export { DeleteLimit } from "./limits/delete-limit.js";
export {
  refusals,
  refuseProtected,
  refuseReplace,
  retainedOf,
  withoutProtected,
} from "./limits/deletes.js";
export { refuseReferredTo, selectedOf } from "./limits/selected-records.js";
export { Selection, unmatchedErrors } from "./limits/selection.js";
export { codecOf, isOfLeftOut, refuseUnknown } from "./limits/unknown-inputs.js";
export {
  AnyOperation,
  type Attempt,
  type DeclarationCall,
  type DeleteReason,
  type DeleteRequest,
  DestroySignal,
  type FoundOutput,
  type Operation,
  type Performer,
  type Planning,
  ReplaceSignal,
  type Signal,
} from "./operation.js";
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
export { type Refreshed, Run } from "./run.js";
export { isTooLate, RunProgress, tooLate } from "./scope-runs.js";
export { Declared, originOf, References, refuseInside, refuseItself } from "./waits.js";
