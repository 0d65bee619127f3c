/** Which record a declaration means: earlier names, and old copies. */

export { applyAlias, applyKeptAlias, belowPresent, enterByAlias } from "./apply-alias.js";
export { findRecorded, recordedBefore, recordedIn } from "./find-recorded.js";
export { movedData, movedRecord, oldHomeOf, renamed, setAside, withDescendants } from "./rebind-record.js";
