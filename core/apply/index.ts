/** Applies a declaration, from the call to its record. */

export { emitExcluded } from "./apply.js";
export { changedPaths, replaceOnOf, replacingPath } from "./decide/decide.js";
export { asDeclared, driftedPaths } from "./decide/ignored.js";
export { EarlyReads, type ReadResult, readAll } from "./decide/refresh.js";
export { declareInTime } from "./declare.js";
export { performer } from "./performer.js";
export { applyContext, updateValues } from "./result.js";
export { setAside } from "./update.js";
