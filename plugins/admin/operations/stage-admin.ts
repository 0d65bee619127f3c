/** {@link StageAdmin}: the operations on the state of a stage. */
import type { StateStoreOption } from "../../../core/contract/index.js";
import type { MovedTo, MoveToOptions } from "./between/move-to.js";
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
import type { LastChanges } from "./view/last-changes.js";
import type { StageView } from "./view/stage-view.js";
import type { RecordedValue } from "./view/values.js";

/** The resources recorded for a stage at one moment. */
export interface StageList {
  /** Number of the newest journal entry. */
  readonly seq: number;
  /** The session that is open; undefined if none is. */
  readonly holder: Holder | undefined;
  /** Sorted by name. */
  readonly resources: readonly ListedResource[];
}

/**
 * The state of a stage, for tools: everything that `engine state` does, as data. It prints nothing and asks no
 * questions. If a command would ask, `approve` is called with the planned change before anything is written. It cancels
 * the change by throwing. No method touches a resource.
 *
 * Methods that only read take no lock and write nothing. Each change is a session of its own: it writes one entry, and
 * waits for other sessions as long as `lockTimeout` allows. Contents that cannot be proven, and similar problems, are
 * reported as `warning` events to plugins.
 *
 * Names can be an FQN, a path below the stage, or an id that only one resource has.
 *
 * @throws EngineError each method: `STORE_FAILED`, and all that loading the state throws (`STATE_CORRUPT`,
 * `STATE_FORMAT`, `STATE_FORGED`, `STATE_RETIRED`, `WRONG_PASSWORD`, …) unless stated otherwise; `INVALID_CALL` once
 * the admin is closed. Methods that change the state: `STATE_LOCKED`, `STATE_MOVED`, `FENCED`, `PASSWORD_REQUIRED` for
 * a sealed state, and all that `approve` throws
 */
export interface StageAdmin extends AsyncDisposable {
  readonly app: string;
  readonly stage: string;

  /**
   * Rejects if the stage never had a state. Without this check, a mistyped name would look like an empty stage. A
   * destroyed stage still exists.
   *
   * @throws EngineError `NOT_RECORDED`, which lists stages or apps of the store with similar names; with `strictState`
   * `STATE_WENT_BACK` if this machine remembers a sealed state there
   */
  checkExists(): Promise<void>;
  /**
   * Lists the recorded resources: all of them, or those whose names match globs, each with everything below.
   *
   * @throws EngineError `NOT_RECORDED` for a glob that matches nothing
   */
  list(globs?: readonly string[]): Promise<StageList>;
  /**
   * Returns everything that is recorded under the name of a resource, a scope or the stage.
   *
   * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` if several resources have the id; with `secrets`
   * `PASSWORD_REQUIRED`, `WRONG_PASSWORD`
   */
  show(name: string, options?: ShowOptions): Promise<Detail>;
  /** Returns the scopes and resources as a tree. */
  tree(): Promise<TreeNode>;
  /** Returns the resources in the order in which they were made, with their dependencies. */
  graph(): Promise<Graph>;
  /** Lists the copies that can be restored, oldest first; also those of a state that cannot be loaded. */
  history(): Promise<readonly HistoryCopy[]>;
  /**
   * Returns a text that changes with every recorded change. It takes one or two requests, however large the state is.
   * Compare it to find out whether a {@link StageAdmin.view} is still current.
   */
  mark(): Promise<string>;
  /**
   * Reads the state once, for any number of queries; with `seq` a copy that {@link StageAdmin.history} lists.
   *
   * @throws EngineError `NOT_RECORDED` if there is no such copy, `STATE_IDENTITY` if it belongs to another state,
   * `STATE_FORGED`
   */
  view(seq?: number): Promise<StageView>;
  /**
   * Returns the past values of a resource, newest first, as far as the kept copies go back. Reads each copy.
   *
   * @param name an FQN, or a path below the stage; also of a resource that is not recorded any more
   * @throws EngineError `NOT_RECORDED` if no copy contains it
   */
  values(name: string): Promise<readonly RecordedValue[]>;
  /** Returns the run that last changed each resource, as far as the kept copies go back. Reads each copy. */
  lastChanges(): Promise<LastChanges>;
  /**
   * Compares two states: kept copies, or a copy and the present state.
   *
   * @throws EngineError `NOT_RECORDED` if there is no such copy, `STATE_IDENTITY` if it belongs to another state,
   * `STATE_FORGED`
   */
  difference(from: number, to: number, options?: DifferenceOptions): Promise<StageDifference>;
  /**
   * Reads every byte, and reports everything that is not as it was written. @throws EngineError `STORE_FAILED`, never
   * for damaged contents
   */
  verify(): Promise<Verified>;
  /** Returns the session that is open; undefined if none is. */
  holder(): Promise<Holder | undefined>;
  /**
   * Lists all stages of all apps in the store. Takes a few requests for each stage, however large its state is. A stage
   * that cannot be read is listed with its problem. Empty stages are left out unless `all`.
   *
   * @throws EngineError `STORE_FAILED` if the store cannot be listed
   */
  stages(options?: ListStagesOptions): Promise<readonly StageSummary[]>;

  /**
   * Ends the session that is open and returns its holder; undefined if none is open. The run of that session writes
   * nothing any more.
   *
   * @throws EngineError `STATE_LOCKED` if its process is known to run on this machine, unless `force`
   */
  unlock(options?: UnlockOptions): Promise<Holder | undefined>;
  /**
   * Renames a resource, or a scope with everything in it.
   *
   * @param from a name that ends in `/` means a scope, even if a resource has the same name
   * @param to can also be an id in the same scope
   * @throws EngineError `NOT_RECORDED`; `INVALID_ARGUMENT`, `INVALID_NAME` for an invalid new name; `DUPLICATE_ID` if
   * the new name is taken; `UNRESOLVED` if a resource is pending, unless `force`; `PASSWORD_REQUIRED`, `WRONG_PASSWORD`
   */
  move(from: string, to: string, options?: Omit<MoveOptions, "from" | "to">): Promise<Moved>;
  /**
   * Moves records, with their data and secrets, to another stage of the same store. The secrets are encrypted with the
   * password or key of the target (default: that of the admin). The real resources stay, and so do their names. No
   * record is ever used by both stages. If a call is interrupted, call it again: it undoes the move or finishes it.
   *
   * @throws EngineError `NOT_RECORDED`; `INVALID_ARGUMENT`, `INVALID_NAME`; `DUPLICATE_ID` if the target has a resource
   * of that name; `UNRESOLVED` if a resource is pending, unless `force`; `STATE_INCOMPLETE` if another move of one of
   * the stages was interrupted; `WRONG_PASSWORD`
   *
   * @example
   * ```ts
   * await using admin = stageAdmin(s3Store(), { app: "shop", stage: "dev" });
   * await admin.moveTo({ stage: "prod", names: ["web/**"] });
   * ```
   */
  moveTo(options: MoveToOptions): Promise<MovedTo>;
  /**
   * Removes the records that match the globs, and all records below them, from the state. The real resources stay. With
   * `retained`, removes no records: it frees the names that are still taken by retained resources.
   *
   * @throws EngineError `NOT_RECORDED` for a glob that matches nothing, `PROTECTED` unless `force`
   */
  forget(globs: readonly string[], options?: Omit<ForgetOptions, "patterns">): Promise<Forgotten>;
  /**
   * Confirms that a resource still exists after a delete whose outcome the engine cannot find out: its record gets its
   * former status back. With `copy`, an old copy stays as it is and is no longer recorded.
   *
   * @throws EngineError `NOT_RECORDED`, `INVALID_ARGUMENT` if there is nothing to decide, or no such copy
   */
  keep(name: string, options?: Omit<KeepOptions, "name">): Promise<Kept>;
  /**
   * Returns the present state as a text that can be pushed; its secrets are encrypted. @throws EngineError
   * `NOT_RECORDED`
   */
  pull(): Promise<string>;
  /**
   * Replaces the state with a text that was pulled.
   *
   * @throws EngineError `STATE_CORRUPT` if the text was changed after the pull, `STATE_FORMAT`, `STATE_IDENTITY` if it
   * belongs to another state, `STATE_MOVED` if the state has changed since the pull, unless `force`
   */
  push(text: string, options?: PushTextOptions): Promise<Restored>;
  /**
   * Restores the state as of an entry that {@link StageAdmin.history} has a copy of.
   *
   * @throws EngineError `NOT_RECORDED`, `STATE_IDENTITY`, `STATE_CORRUPT`, `STATE_FORGED`
   */
  restore(seq: number, options?: Restoring): Promise<Restored>;
  /**
   * Removes old journal entries, checkpoints and leases of a stage that records nothing any more; with `history` also
   * the copies that can be restored. The first entry, the guards and the newest entries stay: they keep out a paused
   * writer.
   *
   * @throws EngineError `INVALID_CALL` if a resource, or the name of a retained one, is recorded
   */
  purge(options?: PurgeOptions): Promise<Purged>;
  /**
   * Seals a state that was never sealed, as it is, with its password or key. Returns false if it is already sealed, or
   * nothing is recorded.
   *
   * @throws EngineError `PASSWORD_REQUIRED`
   */
  seal(options?: SealingOptions): Promise<boolean>;
  /**
   * Changes the password or key that opens the secrets of the stage. Any kind can replace any other. Writes one small
   * entry, however many secrets there are: they stay encrypted with the same data key. With the old password or key and
   * an old copy of the state, a person can therefore still read both old and new secrets; see {@link StageAdmin.rekey}.
   * Returns false if the stage has no secrets.
   *
   * @throws EngineError `WRONG_PASSWORD`, `PASSWORD_REQUIRED`, `KEY_INVALID`, `KEY_COMMAND_FAILED`; `INVALID_OPTION`
   * for the present one; `NOT_RECORDED` for a scope that has no password or key of its own, and for a stage that never
   * had a state
   *
   * @example
   * ```ts
   * await using admin = stageAdmin(s3Store(), { app: "shop", stage: "prod", password: before });
   * await admin.rotate({ newPassword: after });
   * ```
   */
  rotate(options: RotationOptions): Promise<boolean>;
  /**
   * Re-encrypts the secrets of the stage with a new data key, in one entry, and resolves with their number. The old key
   * opens nothing that is recorded from then on. Copies of the state that were made earlier, and its history until it
   * is trimmed, keep the old key. Without `newPassword` and `newKey`, the present password or key stays; you may also
   * pass the present one again.
   *
   * @throws EngineError as {@link StageAdmin.rotate}, and `STATE_CORRUPT` on a secret that cannot be decrypted
   */
  rekey(options?: RotationOptions): Promise<number>;
  /**
   * Moves the state to another store, byte for byte, with its history and its secrets, which stay encrypted with the
   * same password. The old store keeps its copy, and every run that still uses it fails with the new location
   * (`STATE_RETIRED`). No resource is touched. At most one of the two stores is usable at any moment. If a call is
   * interrupted, call it again: it continues from where it stopped.
   *
   * @throws EngineError `STATE_EXISTS` if the other store has data of this stage, `NOT_RECORDED`, `STORE_NOT_ATOMIC`,
   * `ABORTED`, `STATE_RETIRED` if it was moved to another store
   *
   * @example
   * ```ts
   * await using admin = stageAdmin(fsStore(), { app: "shop", stage: "prod" });
   * await admin.migrate(s3Store({ bucket: "acme-state" }));
   * ```
   */
  migrate(to: StateStoreOption, options?: Omit<Migration, "to">): Promise<Migrated>;
  /** Records the results that earlier runs could not record: the recovery files below `rootDir`. */
  recover(): Promise<Recovered>;

  /** Closes the store if a function made it; a store that was passed in stays open. Does nothing the second time. */
  close(): Promise<void>;
}

/** Options of {@link StageAdmin.show}. */
export interface ShowOptions {
  /** Shows secrets in the clear. Default: only their names are shown, and no password is needed. */
  readonly secrets?: boolean;
}

/** Options of {@link StageAdmin.push}. */
export interface PushTextOptions extends Partial<Omit<PushOptions, "text">> {}
