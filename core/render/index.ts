/** Values as people may see them. */
export { changesBetween, membersAs, safePath } from "./changes.js";
export { canBecome, shown, shownWhole, UNKNOWN } from "./shown.js";
