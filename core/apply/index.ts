/** A declaration, from the call to its record. */
export { applyContext, updateValues } from "./apply-context.js";
export { isElsewhere, replaceOnOf, replacingPath } from "./decide/decide.js";
export { changedPaths } from "./decide/diff.js";
export { emitExcluded } from "./decide/exclude.js";
export { asDeclared, driftedPaths } from "./decide/ignored.js";
export { LooksAhead, lookAtAll, type Seen } from "./decide/refresh.js";
export { declareInTime } from "./declare.js";
export { performer } from "./performer.js";
