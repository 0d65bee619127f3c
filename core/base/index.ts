/** What every room may use and none is about: errors, words, texts, work in time, the machine. */
export { type Called, type CallSite, callSiteOf, callSiteText } from "./call-site.js";
export { cut } from "./cut.js";
export {
  EngineError,
  type ErrorCode,
  errorCodes,
  isEngineError,
  messageOf,
  RunFailedError,
} from "./errors.js";
export { type FailureNote, failureNote } from "./failure-note.js";
export { checkGiven } from "./given/check-given.js";
export { allNear, nearest } from "./given/nearest.js";
export {
  anything,
  callback,
  either,
  flag,
  hasFunctions,
  isListOf,
  isRecord,
  isText,
  nameHint,
  number,
  oneOf,
  problemWith,
  type Rule,
  type RulesOf,
  record,
  required,
  text,
  texts,
  typeName,
  wholeFrom,
} from "./given/rule.js";
export { jsonFaultPlace } from "./json-fault.js";
export { shownPointer, stepsOf } from "./json-pointer.js";
export { ciRun } from "./machine/ci-run.js";
export { type Clock, HOUR, MINUTE, monotonic } from "./machine/clock.js";
export { whenFree, whenFreeNow } from "./machine/held-files.js";
export {
  fate,
  identity,
  type ProcessFate,
  type ProcessIdentity,
  type ProcessName,
  processName,
} from "./machine/identity.js";
export { fateBySight, fateOf, isOver, isPidReused, startOf, statOf } from "./machine/kernel.js";
export { monotonicNow } from "./machine/monotonic.js";
/** @internal */
export { nodeCrypto } from "./machine/node-crypto.js";
export { makeOwnFolder, OWN_FOLDER } from "./machine/own-folder.js";
export { isOwnCode, ownFile, ownVersion } from "./machine/own-package.js";
export {
  type Cancel,
  type LocalFiles,
  type Platform,
  perProcess,
  platform,
  type ScryptCost,
  setPlatform,
} from "./machine/platform.js";
export { processWide } from "./machine/process-wide.js";
export { sleep } from "./machine/sleep.js";
export { type System, thisSystem, windowsProgram } from "./machine/system.js";
export { cacheFolder, configFolder, type Environment, machineFolder } from "./machine/user-folders.js";
export { uuid } from "./machine/uuid.js";
export { timeOfDay } from "./machine/wall-clock.js";
export { publishFile, replaceFile } from "./machine/whole-file.js";
export { isMissing, packageMissing } from "./missing-package.js";
export { checkName, nameProblem, nameRule, physicalName } from "./names.js";
export { type Bytes, type HostProcess, INSPECT, type PlatformName, type SignalName } from "./node-types.js";
export { raise } from "./raise.js";
export { bytesOf } from "./redacted-members.js";
export { type Redact, type Redaction, redaction } from "./redaction.js";
export { isSameList } from "./same-list.js";
export { below, everywhere, joined } from "./scope-path.js";
export type { StageHolder } from "./stage-holder.js";
export { codeOf, hasCode, isAbsence } from "./system-error.js";
export { readable } from "./thrown.js";
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
  type DestroyStrategy,
  DONE,
  type HandlerPhase,
  NOTHING_DONE,
  type Phase,
  type ResourceRef,
  type RunSummary,
} from "./vocabulary.js";
export { withDeadline } from "./work/deadline.js";
export { Heap } from "./work/heap.js";
export { ignore } from "./work/ignore.js";
export { Interruption } from "./work/interruption.js";
export { isLater, Later } from "./work/later.js";
export { ConcurrencySlot, Limiter } from "./work/limiter.js";
export { OngoingWork } from "./work/ongoing-work.js";
export { Preflight } from "./work/preflight.js";
export { withResolvers } from "./work/resolvers.js";
export { SortedList } from "./work/sorted-list.js";
