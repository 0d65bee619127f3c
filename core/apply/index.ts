/** A declaration, from the call to its record. */
export { applyContext, deletedFirst, outputOf } from "./apply-context.js";
export { replaceOnOf } from "./decide/choose.js";
export { isElsewhere, replacingPath } from "./decide/decide.js";
export { changedPaths } from "./decide/diff.js";
export { emitDrift } from "./decide/emit-drift.js";
export { emitExcluded } from "./decide/exclude.js";
export { LooksAhead, lookAtAll, type Seen } from "./decide/refresh.js";
export { declareInTime } from "./declare.js";
export { performer } from "./performer.js";
