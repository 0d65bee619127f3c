/** Which record a declaration means: earlier names, and old copies. */

export { applyAlias } from "./apply-alias.js";
export { findRecorded, recordedBefore, recordedIn } from "./find-recorded.js";
export { oldHomeOf, setAside, withDescendants } from "./old-copies.js";
export { movedData, movedRecord, renamed } from "./rebind-record.js";
export { applyKeptAlias, belowPresent, enterByAlias } from "./scope-aliases.js";
