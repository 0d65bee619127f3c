/** The state of one stage as a run sees it: reads are answered from memory, changes go through the journal. */

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
import { changedRecords, moved, View } from "./reads.js";
import { recover } from "./recovery/recover.js";
import { keepUnwritten, type RecoveryCipher } from "./recovery/recovery-file.js";
import { positionOf } from "./seal/prove.js";
import type { SealState } from "./seal/sealer.js";
import { type AcquireSettings, acquireSession } from "./session/acquire-session.js";
import { Session, type SessionSettings } from "./session/session.js";

/** What a ledger is opened with. */
export interface LedgerSettings extends Pick<LedgerLocation, "store" | "app" | "stage" | "keep" | "seal"> {
  readonly rootDir: string;
  /** False: nothing is ever written, and no owner is waited for. */
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
  /** As {@link AcquireSettings.leftBehind}. */
  readonly leftBehind?: AcquireSettings["leftBehind"];
  /** Called when the state is loaded, before anything is written. */
  loaded?(ledger: Ledger): Promise<void>;
  /** What has to be awaited before something is written; undefined: nothing. */
  preflight?(): Promise<void> | undefined;
  /** Keeps what a recovery file says from other eyes. */
  readonly recoveryCipher?: RecoveryCipher;
  /** Called once, when nothing can be written any more. */
  broken(error: unknown): void;
}

const NOTHING_TO_WRITE = Promise.resolve();

export class Ledger {
  readonly #settings: LedgerSettings;
  readonly #acquireSettings: AcquireSettings;
  /** Sessions that need no waiting: found dead. */
  readonly #dead: Set<string>;
  /** Uids of what other runs have made or changed since the program began to run: until then it is cleared. */
  readonly foreign = new Set<string>();
  readonly #session: Session;
  readonly #journal: Journal;
  readonly #view: View;
  #closing: CloseRecord | undefined;
  /** False where the preflight has failed: no handler was called, and the program can be run again. */
  #hasBegun = true;
  #isAbandoned = false;
  #isAcquiring = false;
  /** The name that the ledger has from its first entry on, where this run writes that. */
  readonly #lineage: string;

  private constructor(settings: LedgerSettings, acquireSettings: AcquireSettings, loaded: Loaded, dead: Set<string>) {
    const { store, version, owner, command, ttl, histories, events, limits = CHECKPOINT_LIMITS } = settings;
    this.#settings = settings;
    this.#acquireSettings = acquireSettings;
    this.#dead = dead;
    this.#lineage = loaded.head.lineage ?? uuid();
    const asked: Pick<SessionSettings, "moved" | "warn" | "visible" | "count"> = {
      moved: (found, own) => this.#moved(found, own),
      warn: (code, message) => events.warn(code, message),
      visible: () => (this.#journal.hasQueued || this.#view.hasPiggybacked ? undefined : this.contents),
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
   * Loads the state and, where the run may write, waits for its turn and records what earlier runs could not.
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
      // The file is there still: nothing is written beside it.
      await ledger.#session.abandon();
      throw error;
    }
    return ledger;
  }

  /** Random name of the ledger; undefined while nothing was ever written. */
  get lineage(): string | undefined {
    return this.#session.head.lineage;
  }

  /** Name of the session that this run writes in; undefined before its first write. */
  get session(): string | undefined {
    return this.#session.id;
  }

  /** The newest line of the journal that this run knows, and what is recorded up to it. */
  get durable(): Pick<Session, "head" | "contents"> {
    return this.#session;
  }

  /** What is recorded, changes of this run included, durable or not. */
  get contents(): Contents {
    return this.#view.contents;
  }

  /** The record of a key; remembered as read, so that another run's change of it is noticed. */
  read(key: string): ResourceRecord | undefined {
    return this.#view.record(key);
  }

  readData(owner: string, key: string): Encoded | undefined {
    return this.#view.data(owner, key);
  }

  /** The name of the ledger, also before its first entry; remembered as read. */
  readLineage(): string {
    this.#view.reads.lineage();
    return this.lineage ?? this.#lineage;
  }

  /** All that is recorded, remembered as read: a change of anything by another run matters. */
  readAll(): Contents {
    return this.#view.all();
  }

  /** "locked": nothing can be written, and nothing should be done. */
  get seal(): SealState {
    return this.#session.seal;
  }

  /** Whose data the key of the state is, and its name there; undefined where there is none, nor comes with the next change. */
  get keyRecord(): { readonly owner: string; readonly key: string } | undefined {
    const { recorded } = this.#settings.seal ?? {};
    const hasKey = this.seal !== "none" || this.#session.isBringing;
    return recorded && hasKey ? { owner: pluginOwner(recorded.plugin), key: recorded.key } : undefined;
  }

  /**
   * Goes with the next changes that are queued, and in one entry with them; seen at once.
   *
   * @param key that this change records: it seals that entry, and what comes after it
   */
  piggyback(change: Change, key?: Sealer): void {
    this.#view.piggyback(change);
    if (key) this.#session.bring(change, key);
  }

  /** Queues changes; resolves when they and all queued earlier are durable. Of a ledger that writes nothing, only its view changes. */
  commit(changes: readonly Change[], urgency: Urgency): Promise<void> {
    this.#view.see(changes);
    if (!this.#settings.writes) return NOTHING_TO_WRITE;
    return this.#journal.add(this.#view.withPiggybacked(changes), urgency);
  }

  /**
   * To be asked right before a handler changes the real resource of a record whose intent is durable. The process may have stood still
   * since, and another run may have taken over: then one more line, which says nothing new, shows whose the journal is. Undefined if
   * this run has given a sign of life lately.
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

  /** Opens the session now, and not with the first change. @throws EngineError as the first change does */
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

  /** Writes what is queued and ends the session. A run that wrote nothing writes nothing here either. */
  async close(outcome: CloseRecord["outcome"], summary: RunSummary): Promise<void> {
    await this.#journal.drain();
    if (!this.#settings.writes || !this.hasToClose) return;
    this.#closing = { outcome, summary };
    await this.#journal.add([], "now");
    const position = positionOf(this.#session.head, typeof this.seal === "object");
    await this.#settings.seal?.seen(position, { isEmpty: false, isProven: true, isLasting: true });
  }

  /** Stops the heartbeat of a session that is given up; what it has not recorded can be done again. */
  letGo(): Promise<void> {
    return this.#session.abandon();
  }

  /** Stops the heartbeat and keeps results that could not be recorded; returns the path of the recovery file that it wrote, if any. */
  async abandon(): Promise<string | undefined> {
    if (this.#isAbandoned) return undefined;
    this.#isAbandoned = true;
    await this.#session.abandon();
    return this.#hasBegun ? keepUnwritten(this.#settings, this.#session, this.#journal.unwritten) : undefined;
  }

  /** A close goes with the last of what is queued. */
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

  /** Another session wrote: go on where that touched nothing that this run has read. */
  async #moved(...[found, own]: Parameters<SessionSettings["moved"]>): Promise<Loaded> {
    for (const session of own.ids) this.#dead.add(session);
    const loaded = await acquireSession(this.#acquireSettings, found, this.#dead);
    const queued = this.#journal.unwritten.flat();
    const others = loaded.head.lineage;
    const isOther = this.#view.reads.hasLineage && others !== undefined && others !== this.readLineage();
    const isMoved = isOther || this.#view.reads.differ(this.#session.contents, loaded.contents, queued);
    if (isMoved) throw moved(this.#settings, own.hasWritten);
    for (const uid of changedRecords(this.#session.contents, loaded.contents)) this.foreign.add(uid);
    this.#view.begin(loaded.contents, queued);
    return loaded;
  }
}
