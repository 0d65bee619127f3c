/** Which record a declaration means: earlier names, and old copies. */
export { findRecorded, recordedIn } from "./find-recorded.js";
export { movedData, movedRecord, renamed } from "./moved.js";
export { familyWith, oldHomeOf, setAside } from "./old-copies.js";
export { belowPresent, enterByAlias, takeOverKept } from "./scope-aliases.js";
export { takeOver } from "./take-over.js";
