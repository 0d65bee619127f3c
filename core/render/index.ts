/** Values as people may see them. */
export { changesBetween, membersAs, safePath } from "./changes.js";
export { canBecome, renderValue, renderWhole } from "./render-value.js";
