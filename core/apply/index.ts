/** A declaration, from the call to its record. */
export { changedPaths } from "./decide/diff.js";
export { emitDrift } from "./decide/emit-drift.js";
export { emitExcluded } from "./decide/exclude.js";
export { LooksAhead, lookAtAll, type Seen } from "./decide/refresh.js";
export { declareInTime } from "./declare.js";
