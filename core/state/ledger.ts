/** The state of one stage for a run: reads are answered from memory, changes go through the journal. */

import { type Clock, monotonic, monotonicNow, type ProcessIdentity, type RunSummary, uuid } from "../base/index.js";
import {
  type Encoded,
  type EventBus,
  isGrowing,
  pluginOwner,
  type ResourceRecord,
  type Sealer,
} from "../contract/index.js";
import type { Change, Contents } from "./change.js";
import { CHECKPOINT_LIMITS, type CheckpointLimits } from "./checkpoint/checkpoint.js";
import type { CloseRecord, Owner } from "./journal/entry.js";
import { Journal, type Urgency } from "./journal/journal.js";
import { type LedgerLocation, ledgerKeys } from "./keys.js";
import { type Loaded, load } from "./load.js";
import { changedRecords, stateMoved, View } from "./reads.js";
import { recover } from "./recovery/recover.js";
import { keepUnwritten, type RecoveryCipher } from "./recovery/recovery-file.js";
import { positionOf } from "./seal/prove.js";
import type { SealState } from "./seal/sealer.js";
import { type AcquireSettings, acquireSession } from "./session/acquire-session.js";
import { Session, type SessionSettings } from "./session/session.js";

/** Settings with which a ledger is opened. */
export interface LedgerSettings extends Pick<LedgerLocation, "store" | "app" | "stage" | "keep" | "seal"> {
  readonly rootDir: string;
  /** False: the ledger never writes and waits for no owner. */
  readonly writes: boolean;
  readonly command: string;
  readonly version: string;
  readonly here: ProcessIdentity;
  readonly owner: Owner;
  readonly lockTimeout: number;
  readonly ttl: number;
  readonly histories: number;
  readonly limits?: CheckpointLimits;
  readonly clock?: Clock;
  readonly events: EventBus;
  readonly signal: AbortSignal;
  /** See {@link AcquireSettings.leftBehind}. */
  readonly leftBehind?: AcquireSettings["leftBehind"];
  /** Called when the state is loaded, before the first write. */
  loaded?(ledger: Ledger): Promise<void>;
  /** Returns a promise to await before the first write, if any. */
  preflight?(): Promise<void> | undefined;
  /** Encrypts the contents of a recovery file. */
  readonly recoveryCipher?: RecoveryCipher;
  /** Called once, when writing has become impossible. */
  broken(error: unknown): void;
}

const NOTHING_TO_WRITE = Promise.resolve();

export class Ledger {
  readonly #settings: LedgerSettings;
  readonly #acquireSettings: AcquireSettings;
  /** Sessions that are known to be dead and need no waiting. */
  readonly #dead: Set<string>;
  /** Uids of resources that other runs created or changed since the program began to run; cleared until then. */
  readonly foreign = new Set<string>();
  readonly #session: Session;
  readonly #journal: Journal;
  readonly #view: View;
  #closing: CloseRecord | undefined;
  /** False if the preflight failed: no handler was called, and the program can run again. */
  #hasBegun = true;
  #isAbandoned = false;
  #isAcquiring = false;
  /** Name of the ledger from its first entry on, if this run writes that entry. */
  readonly #lineage: string;

  private constructor(settings: LedgerSettings, acquireSettings: AcquireSettings, loaded: Loaded, dead: Set<string>) {
    const { store, version, owner, command, ttl, histories, events, limits = CHECKPOINT_LIMITS } = settings;
    this.#settings = settings;
    this.#acquireSettings = acquireSettings;
    this.#dead = dead;
    this.#lineage = loaded.head.lineage ?? uuid();
    const asked: Pick<SessionSettings, "continueFrom" | "warn" | "seen" | "count"> = {
      continueFrom: (found, own) => this.#continueFrom(found, own),
      warn: (code, message) => events.warn(code, message),
      seen: () => ({ contents: this.contents, queued: [...this.#journal.queued, ...this.#view.piggybacked] }),
      count: () => this.contents.records.size,
    };
    this.#session = new Session(
      { ...acquireSettings, version, owner, command, ttl, histories, limits, lineage: this.#lineage, ...asked },
      loaded,
    );
    this.#journal = new Journal((changes) => this.#write(changes), { isSlow: !isGrowing(store) });
    this.#view = new View(loaded.contents);
  }

  /**
   * Loads the state. A run that writes also waits for its turn and records the results that earlier runs could not
   * record.
   *
   * @throws EngineError `STATE_LOCKED`, and everything that a load or a write throws
   */
  static async open(settings: LedgerSettings): Promise<Ledger> {
    const acquireSettings = {
      clock: monotonic,
      ...settings,
      keys: ledgerKeys(settings.app, settings.stage),
      warn: settings.events.warn,
    };
    const dead = new Set<string>();
    const loaded = await load(acquireSettings);
    const ledger = new Ledger(
      settings,
      acquireSettings,
      settings.writes ? await acquireSession(acquireSettings, loaded, dead) : loaded,
      dead,
    );
    try {
      await settings.loaded?.(ledger);
      await recover(settings, ledger);
    } catch (error) {
      // The recovery file stays, and nothing may be written next to it.
      await ledger.#session.abandon();
      throw error;
    }
    return ledger;
  }

  /** Random name of the ledger; undefined before its first entry. */
  get lineage(): string | undefined {
    return this.#session.head.lineage;
  }

  /** Name of the session that this run writes in; undefined before its first write. */
  get session(): string | undefined {
    return this.#session.id;
  }

  /** The newest line of the journal that this run knows, and the contents up to it. */
  get durable(): Pick<Session, "head" | "contents"> {
    return this.#session;
  }

  /** Contents including the changes of this run, durable or not. */
  get contents(): Contents {
    return this.#view.contents;
  }

  /** Returns the record of a key and remembers it as read, so that a change by another run is noticed. */
  read(key: string): ResourceRecord | undefined {
    return this.#view.record(key);
  }

  readData(owner: string, key: string): Encoded | undefined {
    return this.#view.data(owner, key);
  }

  /** Returns the name of the ledger, even before its first entry, and remembers it as read. */
  readLineage(): string {
    this.#view.reads.lineage();
    return this.lineage ?? this.#lineage;
  }

  /** Returns all contents and remembers all of them as read: any change by another run matters. */
  readAll(): Contents {
    return this.#view.all();
  }

  /** State of the seal. "locked": the run can write nothing and should do nothing. */
  get seal(): SealState {
    return this.#session.seal;
  }

  /** Owner and name of the data that holds the key of the state; undefined without a key, present or to come. */
  get keyRecord(): { readonly owner: string; readonly key: string } | undefined {
    const { recorded } = this.#settings.seal ?? {};
    const hasKey = this.seal !== "none" || this.#session.isBringing;
    return recorded && hasKey ? { owner: pluginOwner(recorded.plugin), key: recorded.key } : undefined;
  }

  /**
   * Queues a change that goes in one entry with the next changes; visible at once.
   *
   * @param key recorded by this change; it seals that entry and all that follow
   */
  piggyback(change: Change, key?: Sealer): void {
    this.#view.piggyback(change);
    if (key) this.#session.bring(change, key);
  }

  /** Queues changes; resolves when they and all earlier ones are durable. Without writing, only the view changes. */
  commit(changes: readonly Change[], urgency: Urgency): Promise<void> {
    this.#view.see(changes);
    if (!this.#settings.writes) return NOTHING_TO_WRITE;
    return this.#journal.add(this.#view.withPiggybacked(changes), urgency);
  }

  /**
   * Proves, right before a handler changes the real resource of a durable intent, that this run still owns the journal.
   * The process may have been suspended meanwhile, and another run may have taken over. Then one more line, which
   * changes nothing, shows the owner. Returns undefined if this run has given a sign of life recently.
   *
   * @throws EngineError `FENCED`
   */
  proveOwn(uid: string): Promise<void> | undefined {
    const record = this.#session.isSilent ? this.contents.records.get(uid) : undefined;
    if (!record) return undefined;
    const sent = monotonicNow();
    const proof = this.commit([{ op: "patch", uid, set: { attempt: record.attempt } }], "now");
    return proof.then(() => {
      // After a whole TTL another run may have taken over before the answer came.
      const isStale = monotonicNow() - sent >= this.#settings.ttl;
      this.#session.proved(sent);
      return isStale ? this.proveOwn(uid) : undefined;
    });
  }

  /** Opens the session now instead of with the first change. @throws EngineError as the first change does */
  acquire(): Promise<void> {
    if (!this.#settings.writes || this.#session.id !== undefined) return NOTHING_TO_WRITE;
    this.#isAcquiring = true;
    return this.commit([], "now");
  }

  /** Resolves when everything queued so far is durable. */
  drain(): Promise<void> {
    return this.#journal.drain();
  }

  /** True once the run has written, or must end the session of a dead owner. */
  get hasToClose(): boolean {
    return this.#session.id !== undefined || (this.#session.head.open !== undefined && this.seal !== "locked");
  }

  /** Writes queued changes and ends the session. A run that wrote nothing writes nothing here either. */
  async close(outcome: CloseRecord["outcome"], summary: RunSummary): Promise<void> {
    await this.#journal.drain();
    if (!this.#settings.writes || !this.hasToClose) return;
    this.#closing = { outcome, summary };
    await this.#journal.add([], "now");
    const position = positionOf(this.#session.head, typeof this.seal === "object");
    await this.#settings.seal?.seen(position, { isEmpty: false, isProven: true, isLasting: true });
  }

  /** Stops the heartbeat of a session that is given up. Its unrecorded work can be repeated. */
  letGo(): Promise<void> {
    return this.#session.abandon();
  }

  /** Stops the heartbeat and keeps unrecorded results; returns the path of the recovery file, if it wrote one. */
  async abandon(): Promise<string | undefined> {
    if (this.#isAbandoned) return undefined;
    this.#isAbandoned = true;
    await this.#session.abandon();
    return this.#hasBegun ? keepUnwritten(this.#settings, this.#session, this.#journal.unwritten) : undefined;
  }

  /** The close record goes with the last queued changes. */
  #write(changes: readonly Change[]): void | Promise<void> {
    const close = this.#closing && !this.#journal.hasQueued ? this.#closing : undefined;
    if (close) this.#closing = undefined;
    const isOpening = this.#session.id === undefined;
    if (changes.length === 0 && !close && !(isOpening && this.#isAcquiring)) return;
    const { events, broken } = this.#settings;
    const emit = (session: string): void => {
      if (isOpening) events.emit("state:locked", { session });
      events.emit("state:committed", { seq: this.#session.head.seq, changes: changes.length });
      if (close) events.emit("state:unlocked", { session });
    };
    const shut = (error: unknown): never => {
      this.#hasBegun = this.#session.id !== undefined;
      throw error;
    };
    const fail = (error: unknown): never => {
      this.#session.stop();
      broken(error);
      throw error;
    };
    try {
      const passing = this.#settings.preflight?.();
      if (passing !== undefined) return passing.then(() => this.#session.write(changes, close), shut).then(emit, fail);
      const session = this.#session.write(changes, close);
      if (typeof session !== "string") return session.then(emit, fail);
      emit(session);
    } catch (error) {
      fail(error);
    }
  }

  /** Another session wrote: continues if it changed nothing that this run has read. */
  async #continueFrom(...[found, own]: Parameters<SessionSettings["continueFrom"]>): Promise<Loaded> {
    for (const session of own.ids) this.#dead.add(session);
    const loaded = await acquireSession(this.#acquireSettings, found, this.#dead);
    const queued = this.#journal.unwritten.flat();
    const others = loaded.head.lineage;
    const isOther = this.#view.reads.hasLineage && others !== undefined && others !== this.readLineage();
    const isMoved = isOther || this.#view.reads.differ(this.#session.contents, loaded.contents, queued);
    if (isMoved) throw stateMoved(this.#settings, own.hasWritten);
    for (const uid of changedRecords(this.#session.contents, loaded.contents)) this.foreign.add(uid);
    this.#view.begin(loaded.contents, queued);
    return loaded;
  }
}
