/** Earlier names: which record a declaration means, and how it comes to be recorded under its present name. */

export { applyAlias, applyKeptAlias, belowPresent, enterByAlias } from "./apply-alias.js";
export { findRecorded, oldHomeOf, recordedIn } from "./find-recorded.js";
export { aliasHint, lateAliasOf, takeOver } from "./late-alias.js";
export { movedData, movedRecord, renamed } from "./rebind-record.js";
