/** Shared foundations without a domain of their own: errors, words, texts, scheduling, the machine. */

export { type Called, type CallSite, callSiteOf, callSiteText } from "./call-site.js";
export {
  codeOf,
  cut,
  EngineError,
  type ErrorCode,
  errorCodes,
  hasCode,
  isAbsence,
  isEngineError,
  isMissing,
  messageOf,
  packageMissing,
  RunFailedError,
  raise,
  readable,
} from "./errors.js";
export { type FailureNote, failureNote } from "./failure-note.js";
export { jsonFaultPlace, shownPointer, stepsOf } from "./json-pointer.js";
export {
  cacheFolder,
  configFolder,
  type Environment,
  isOwnCode,
  machineFolder,
  makeOwnFolder,
  OWN_FOLDER,
  ownFile,
  ownVersion,
} from "./machine/own-files.js";
export {
  type Cancel,
  type Clock,
  fate,
  HOUR,
  identity,
  type LocalFiles,
  MINUTE,
  monotonic,
  monotonicNow,
  type Platform,
  perProcess,
  platform,
  processName,
  processWide,
  type ScryptCost,
  setPlatform,
  sleep,
  timeOfDay,
  uuid,
} from "./machine/platform.js";
export {
  fateBySight,
  fateOf,
  isOver,
  isPidReused,
  startOf,
  statOf,
} from "./machine/process-identity.js";
/** @internal */
export { nodeCrypto } from "./machine/random.js";
export { ciCommit, ciRun, type System, thisSystem, windowsProgram } from "./machine/system.js";
export { publishFile, replaceFile, whenFree, whenFreeNow } from "./machine/whole-file.js";
export {
  below,
  checkName,
  everywhere,
  joined,
  nameProblem,
  nameRule,
  physicalName,
  unfitCharacter,
  unicodePattern,
} from "./names.js";
export { bytesOf, type Redact, type Redaction, redaction } from "./redaction.js";
export {
  allNear,
  anything,
  callback,
  checkGiven,
  either,
  flag,
  hasFunctions,
  isListOf,
  isRecord,
  isText,
  nameHint,
  nearest,
  number,
  oneOf,
  problemWith,
  type Rule,
  type RulesOf,
  record,
  refusedType,
  required,
  text,
  texts,
  typeName,
  wholeFrom,
} from "./rule.js";
export {
  hasMarker,
  isUnknown,
  knownMembers,
  onMemberRead,
  UNKNOWN,
  unknownName,
  unknownValue,
  withoutMarkers,
} from "./unknown.js";
export {
  type Action,
  type AnyHandlerPhase,
  type Bytes,
  type DestroyStrategy,
  DONE,
  type HandlerPhase,
  type HostProcess,
  INSPECT,
  NOTHING_DONE,
  type Phase,
  type PlatformName,
  type ProcessFate,
  type ProcessIdentity,
  type ProcessName,
  type ResourceRef,
  type RunSummary,
  type SignalName,
  type StageHolder,
} from "./vocabulary.js";
export { ConcurrencySlot, Limiter } from "./work/limiter.js";
export { Heap, isSameList, SortedList } from "./work/lists.js";
export { OngoingWork, Preflight } from "./work/ongoing-work.js";
export { ignore, isLater, Later, waitAtMost, withDeadline, withResolvers } from "./work/promises.js";
