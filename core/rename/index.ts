/** Earlier names: which record a declaration means, and how it comes to be recorded under its present name. */

export {
  applyAlias,
  applyKeptAlias,
  belowPresent,
  enterByAlias,
  movedData,
  movedRecord,
  renamed,
} from "./apply-alias.js";
export { aliasHint, findRecorded, lateAliasOf, oldHomeOf, recordedIn, takeOver } from "./find-recorded.js";
