/** The ledger of a stage: journal, checkpoints, sessions, seals, recovery, and the contents derived from them. */
export { aroundStore } from "./around-store.js";
export { type Change, Contents, type PlaceAt } from "./change.js";
export {
  CHECKPOINT_LIMITS,
  type Checkpoint,
  type CheckpointLimits,
  type ClosedSession,
  parseCheckpoint,
  readCheckpoint,
  writeCheckpoint,
} from "./checkpoint/checkpoint.js";
export { digestOfContents, digestOfRecord } from "./checkpoint/digested-text.js";
export {
  deletionBegins,
  deletionUndone,
  isNameRetained,
  keepMovedName,
  keptNames,
  onlyPart,
  type RetainedName,
  releaseName,
  restored,
  retainedNames,
  retainName,
} from "./deletion.js";
export { type AppendLocation, createEntry, createOwn, sealed, write } from "./journal/append.js";
export {
  type Entry,
  isKnown,
  MOVING_FORMAT,
  NO_DIGEST,
  type OpenRecord,
  parseLine,
  type Retired,
} from "./journal/entry.js";
export {
  advance,
  arrivingIn,
  checkInUse,
  emptyHead,
  follows,
  type Head,
  nameOf,
  retiredIn,
  whyUnused,
} from "./journal/head.js";
export { countLines, listKeys, readSegment, type Segment } from "./journal/segment.js";
export type { JournalCursor } from "./journal/tail.js";
export type { LedgerLocation } from "./keys.js";
export { decodeName, encodeName, type LedgerKeys, ledgerKeys, ledgerKeysAt, seqOf } from "./keys.js";
export { Ledger } from "./ledger.js";
export { checkNames, type Loaded, load, loadAsIs, proven } from "./load.js";
export { type MoveMark, markMove, moveMarkIn, UNMARK_MOVE, whyMoving } from "./moving.js";
export { KeptData, rewritten } from "./plugin-state.js";
export { same, sameContents } from "./reads.js";
export { findRecoveries, readRecovery, UNENCRYPTED } from "./recovery/recovery-file.js";
export { forged, keyNeeded, untrusted } from "./seal/prove.js";
export { type CheckpointPurpose, isSealedCheckpoint, macOfPlan, type SealState } from "./seal/sealer.js";
export { acquireSession } from "./session/acquire-session.js";
export { DEFAULT_TTL, isTtl, LONGEST_TTL, locked, stageHolder } from "./session/lease.js";
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
