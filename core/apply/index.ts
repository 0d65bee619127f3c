/** A declaration, from the call to its record. */
export { changedPaths } from "./decide/diff.js";
export { tellDrift } from "./decide/drifted.js";
export { tellLeftOut } from "./decide/leave-out.js";
export { LooksAhead, lookAtAll, type Seen } from "./decide/refresh.js";
export { declareInTime } from "./declare.js";
