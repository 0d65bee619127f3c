/** The ledger of a stage: journal, checkpoints, sessions, seals, recovery, and what is folded from them. */
export { aroundStore } from "./around-store.js";
export { type Change, Contents, type PlaceAt } from "./change.js";
export {
  type Checkpoint,
  type ClosedSession,
  parseCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "./checkpoint/checkpoint.js";
export { digestOfContents, digestOfRecord } from "./checkpoint/digest.js";
export { CHECKPOINT_LIMITS, type CheckpointLimits } from "./checkpoint/limits.js";
export { deletionBegins, deletionUndone, onlyPart, restored } from "./deletion.js";
export { type AppendLocation, createEntry, createOwn, sealed, write } from "./journal/append.js";
export { countLines } from "./journal/count-lines.js";
export {
  type Entry,
  isKnown,
  MOVING_FORMAT,
  NO_DIGEST,
  type OpenRecord,
  parseLine,
  type Retired,
} from "./journal/entry.js";
export { advance, emptyHead, follows, type Head } from "./journal/head.js";
export type { JournalCursor } from "./journal/journal-cursor.js";
export { listKeys } from "./journal/list-keys.js";
export { readSegment, type Segment } from "./journal/segment.js";
export { decodeName, encodeName, type LedgerKeys, ledgerKeys, ledgerKeysAt, seqOf } from "./keys.js";
export { Ledger } from "./ledger.js";
export type { LedgerLocation } from "./ledger-location.js";
export { type Loaded, load, loadAsIs, proven } from "./load.js";
export { arrivingIn, checkInUse, nameOf, retiredIn, whyUnused } from "./moving.js";
export { pluginState } from "./plugin-state.js";
export { same, sameContents } from "./reads.js";
export { findRecoveries, readRecovery } from "./recovery/recovery-file.js";
export { isNameRetained, type RetainedName, releaseName, retainedNames, retainName } from "./retained-names.js";
export { rewritten } from "./rewrite.js";
export { forged, keyNeeded, untrusted } from "./seal/prove.js";
export { type CheckpointPurpose, isSealedCheckpoint, macOfPlan, type SealState } from "./seal/sealer.js";
export { acquireSession } from "./session/acquire-session.js";
export {
  locationOf,
  lookedAt,
  type OneShotSession,
  type OneShotSettings,
  oneShotSession,
  toolSession,
} from "./session/one-shot-session.js";
export { identityOf, notAtomic } from "./session/opening.js";
export type { Session } from "./session/session.js";
export { locked, stageHolder } from "./session/stage-holder.js";
export { checkNames } from "./sound-names.js";
export { DEFAULT_TTL, isTtl, LONGEST_TTL } from "./ttl.js";
