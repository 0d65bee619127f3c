/** What a tool can do with the state of a stage. */
import type { StateStoreOption } from "../../../core/contract/index.js";
import type { Detail } from "./detail.js";
import type { Graph } from "./graph.js";
import type { HistoryCopy } from "./history.js";
import type { ListedResource, TreeNode } from "./listed.js";
import type { Migrated, Migration } from "./migration/migrate.js";
import type { Moved, MoveOptions } from "./move.js";
import type { Recovered, RotationOptions, SealingOptions } from "./own-run.js";
import type { ForgetOptions, Forgotten } from "./records/forget.js";
import type { KeepOptions, Kept } from "./records/keep.js";
import type { Purged, PurgeOptions } from "./records/purge.js";
import type { PushOptions, Restored, Restoring } from "./restore.js";
import type { ListStagesOptions, StageSummary } from "./stages.js";
import type { Holder, UnlockOptions } from "./unlock.js";
import type { Verified } from "./verify/verify.js";
import type { DifferenceOptions, StageDifference } from "./view/difference.js";
import type { StageView } from "./view/stage-view.js";
import type { RecordedValue } from "./view/values.js";

/** What is recorded of a stage at one moment. */
export interface StageList {
  /** The newest entry of the journal. */
  readonly seq: number;
  /** Whose session is open. */
  readonly holder: Holder | undefined;
  /** By name. */
  readonly resources: readonly ListedResource[];
}

/**
 * The state of a stage, for tools: all that `engine state` does, as data. Nothing is printed and nobody is asked: where a command would ask,
 * `approve` is told what is about to be done, before anything is written, and keeps it all as it is by throwing. No resource is touched.
 *
 * What only looks takes no lock and writes nothing. What changes something is a session of its own, which writes one entry, and waits for
 * others as `lockTimeout` says. What cannot be proven, and the like, is told by `warning` events, which plugins hear.
 *
 * Where names are taken, an FQN, a path below the stage, or an id that only one resource has will do.
 *
 * @throws EngineError each method: `STORE_FAILED`, and what loading the state throws (`STATE_CORRUPT`, `STATE_FORMAT`, `STATE_FORGED`,
 * `STATE_RETIRED`, `WRONG_PASSWORD`, …) where it says nothing else; `INVALID_CALL` once it is closed. What changes something: `STATE_LOCKED`,
 * `STATE_MOVED`, `FENCED`, `PASSWORD_REQUIRED` of a sealed state, and what `approve` throws
 */
export interface StageAdmin extends AsyncDisposable {
  readonly app: string;
  readonly stage: string;

  /**
   * Rejects unless something was recorded of the stage at some time: a mistyped name would look like an empty stage. A stage that was
   * destroyed still exists.
   *
   * @throws EngineError `NOT_RECORDED`, which names stages or apps of the store whose names are near; with `strictState`
   * `STATE_WENT_BACK` if this machine remembers a sealed state there
   */
  checkExists(): Promise<void>;
  /**
   * What is recorded: all of it, or what globs of names match, with what is below.
   *
   * @throws EngineError `NOT_RECORDED` for a glob that matches nothing
   */
  list(globs?: readonly string[]): Promise<StageList>;
  /**
   * All that is recorded under a name, which may be a scope's, or the stage's.
   *
   * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` for an id of several; with `secrets` `PASSWORD_REQUIRED`, `WRONG_PASSWORD`
   */
  show(name: string, options?: ShowOptions): Promise<Detail>;
  /** Scopes and resources as they are nested. */
  tree(): Promise<TreeNode>;
  /** Resources in the order in which they were made, and what needs what. */
  graph(): Promise<Graph>;
  /** The copies that can be restored, oldest first; also of a state that cannot be loaded. */
  history(): Promise<readonly HistoryCopy[]>;
  /**
   * A text that is another one as soon as anything else is recorded: a request or two, however much is recorded. Whoever keeps a
   * {@link StageAdmin.view} finds out by it whether that is still the present.
   */
  mark(): Promise<string>;
  /**
   * What is recorded, read once, to be looked at again and again; with `seq` a copy that {@link StageAdmin.history} has.
   *
   * @throws EngineError `NOT_RECORDED` where there is no such copy, `STATE_IDENTITY` where it is another state's, `STATE_FORGED`
   */
  view(seq?: number): Promise<StageView>;
  /**
   * What a resource was, newest first, as far as the kept copies tell. Each of them is read.
   *
   * @param name an FQN, or a path below the stage; also of what is not recorded any more
   * @throws EngineError `NOT_RECORDED` where no copy has it
   */
  values(name: string): Promise<readonly RecordedValue[]>;
  /**
   * What differs between two states: of kept copies, or the present one.
   *
   * @throws EngineError `NOT_RECORDED` where there is no such copy, `STATE_IDENTITY` where it is another state's, `STATE_FORGED`
   */
  difference(from: number, to: number, options?: DifferenceOptions): Promise<StageDifference>;
  /** Reads every byte, and tells all that is not as it was written. @throws EngineError `STORE_FAILED`, never for what the store holds */
  verify(): Promise<Verified>;
  /** Whose session is open; undefined where none is. */
  holder(): Promise<Holder | undefined>;
  /**
   * All stages of all apps in the store: a few requests for each, however much is recorded in it. One that cannot be read is among them,
   * with its problem. Empty ones are left out unless `all`.
   *
   * @throws EngineError `STORE_FAILED` where the store cannot be listed
   */
  stages(options?: ListStagesOptions): Promise<readonly StageSummary[]>;

  /**
   * Ends the session that is open, and gives whose it was; undefined where none is. Its run writes nothing any more.
   *
   * @throws EngineError `STATE_LOCKED` where its process is known to run on this machine, unless `force`
   */
  unlock(options?: UnlockOptions): Promise<Holder | undefined>;
  /**
   * Gives a resource, or a scope with all that is in it, another name.
   *
   * @param from one that ends in `/` is a scope, also where there is a resource of that name
   * @param to also an id of the same scope
   * @throws EngineError `NOT_RECORDED`; `INVALID_ARGUMENT`, `INVALID_NAME` for a name that it cannot have; `DUPLICATE_ID` for one that is
   * taken; `UNRESOLVED` where something is pending, unless `force`; `PASSWORD_REQUIRED`, `WRONG_PASSWORD`
   */
  move(from: string, to: string, options?: Omit<MoveOptions, "from" | "to">): Promise<Moved>;
  /**
   * Drops what is recorded of what the globs match, and of all below, and leaves the real things as they are. With `retained`, drops
   * no record, but names that are taken because what has them was retained.
   *
   * @throws EngineError `NOT_RECORDED` for a glob that matches nothing, `PROTECTED` unless `force`
   */
  forget(globs: readonly string[], options?: Omit<ForgetOptions, "patterns">): Promise<Forgotten>;
  /**
   * Says that a resource is there, after a delete whose outcome the engine cannot find out: the record gets its former status back.
   * With `copy`, an old copy stays as it is and is no longer recorded.
   *
   * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` if there is nothing to decide, or no such copy
   */
  keep(name: string, options?: Omit<KeepOptions, "name">): Promise<Kept>;
  /** The present state as a text that can be pushed; secrets in it are encrypted. @throws EngineError `NOT_RECORDED` */
  pull(): Promise<string>;
  /**
   * Makes the state what a text says that was pulled.
   *
   * @throws EngineError `STATE_CORRUPT` where the text is not as it was pulled, `STATE_FORMAT`, `STATE_IDENTITY` where it is of another
   * state, `STATE_MOVED` where the state has changed since, unless `force`
   */
  push(text: string, options?: PushTextOptions): Promise<Restored>;
  /**
   * Makes the state what it was at an entry that {@link StageAdmin.history} has a copy of.
   *
   * @throws EngineError `NOT_RECORDED`, `STATE_IDENTITY`, `STATE_CORRUPT`, `STATE_FORGED`
   */
  restore(seq: number, options?: Restoring): Promise<Restored>;
  /**
   * Removes old journal entries, checkpoints and leases of a stage that records nothing any more, and with `history` also the copies
   * that can be restored. The first entry, the guards and the newest entries stay: they keep out a paused writer.
   *
   * @throws EngineError `INVALID_CALL` if a resource, or the name of a retained one, is recorded
   */
  purge(options?: PurgeOptions): Promise<Purged>;
  /**
   * Seals a state that was never sealed, as it is, with its password or key. False where it is sealed already, or nothing is recorded.
   *
   * @throws EngineError `PASSWORD_REQUIRED`
   */
  seal(options?: SealingOptions): Promise<boolean>;
  /**
   * From now on another password or key opens the secrets of the stage: from any of them to any other. One small entry, however many
   * secrets there are: they stay encrypted by the same data key. Who knows the old password or key and has an old copy of the state can
   * still read both; see {@link StageAdmin.rekey}. False if the stage has no secrets.
   *
   * @throws EngineError `WRONG_PASSWORD`, `PASSWORD_REQUIRED`, `KEY_INVALID`, `KEY_COMMAND_FAILED`; `INVALID_OPTION` for the present
   * one; `NOT_RECORDED` for a scope that has no password or key of its own, and for a stage of which nothing was ever recorded
   *
   * @example
   * ```ts
   * await using admin = stageAdmin(s3Store(), { app: "shop", stage: "prod", password: before });
   * await admin.rotate({ newPassword: after });
   * ```
   */
  rotate(options: RotationOptions): Promise<boolean>;
  /**
   * Encrypts the secrets of the stage by a new data key, in one entry, and resolves with how many there were. What the old key opened is
   * of no use for what is recorded from now on. Copies of the state that were made before, and its history until it is trimmed, keep the
   * old one. Without `newPassword` and `newKey` the present password or key stays; the present one may be given again.
   *
   * @throws EngineError as {@link StageAdmin.rotate}, and `STATE_CORRUPT` on a secret that cannot be decrypted
   */
  rekey(options?: RotationOptions): Promise<number>;
  /**
   * Moves the state to another store: all that is recorded, byte for byte, with its history and its secrets, which stay encrypted with
   * the same password. From then on the old one is kept as it is, and every run that still uses it is told where the state went
   * (`STATE_RETIRED`). No resource is touched. No more than one of the two can be used at any moment: a call that was interrupted is made
   * again, and goes on where that one stopped.
   *
   * @throws EngineError `STATE_EXISTS` where the other store has something of this stage, `NOT_RECORDED`, `STORE_NOT_ATOMIC`, `ABORTED`,
   * `STATE_RETIRED` where it was moved to another one
   *
   * @example
   * ```ts
   * await using admin = stageAdmin(fsStore(), { app: "shop", stage: "prod" });
   * await admin.migrate(s3Store({ bucket: "acme-state" }));
   * ```
   */
  migrate(to: StateStoreOption, options?: Omit<Migration, "to">): Promise<Migrated>;
  /** Records now what earlier runs could not: the recovery files below `rootDir`. */
  recover(): Promise<Recovered>;

  /** Closes the store, if a function made it; one that was handed over belongs to its maker. Does nothing the second time. */
  close(): Promise<void>;
}

/** How {@link StageAdmin.show} shows values. */
export interface ShowOptions {
  /** What secrets hold, in clear. Default: they are named only, and no password is needed. */
  readonly secrets?: boolean;
}

/** How {@link StageAdmin.push} takes a text. */
export interface PushTextOptions extends Partial<Omit<PushOptions, "text">> {}
