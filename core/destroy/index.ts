/** Deletes: of one resource, of a tree, of what is declared no more. */
export { askAboutOld } from "./ask-in-plan.js";
export { deleteTree } from "./delete-tree.js";
export { findDefinition, refOf } from "./deletion.js";
export { destroyStage, destroyTarget } from "./destroy.js";
export { plannedDeletion } from "./planned-deletion.js";
export { prune } from "./prune.js";
export { tellScope } from "./tell-scope.js";
