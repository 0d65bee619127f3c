/** Earlier names: finds the record of a declaration, and moves it to its present name. */

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
