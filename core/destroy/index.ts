/** Deletes: of one resource, of a tree, of what is declared no more. */

export { deleteFirst, dependentsFirst } from "./delete-first.js";
export { deleteRecord, forget, unlink } from "./delete-one.js";
export { deleteTree } from "./delete-tree.js";
export { type Deletion, findDefinition, prepare, readable, refOf } from "./deletion.js";
export { dependentsOf } from "./dependents.js";
export { destroyStage, destroyTarget } from "./destroy.js";
export { prune } from "./prune.js";
