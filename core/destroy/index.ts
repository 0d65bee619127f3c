/** Deletes: one resource, a tree, a stage, or orphans. */

export { deleteAhead, deleteFirst, dependentsAhead, dependentsFirst } from "./delete-first.js";
export { deleteRecord, forget, unlink } from "./delete-one.js";
export { type Deletion, findDefinition, prepare, readable, refOf } from "./deletion.js";
export { dependentsOf, formerValues, goingDependents, holdsOne } from "./dependents.js";
export { destroyStage, destroyTarget } from "./destroy.js";
export { refuseOutOfReach } from "./out-of-reach.js";
export { prune } from "./prune.js";
