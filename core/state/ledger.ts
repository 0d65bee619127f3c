/** The state of one stage as a run sees it: reads are answered from memory, changes go through the journal. */
import { EngineError } from "../errors.js";
import type { EventBus } from "../events.js";
import type { ProcessIdentity } from "../process/identity.js";
import type { RunSummary } from "../vocabulary.js";
import { type Change, Contents } from "./change.js";
import type { CloseRecord, Owner } from "./entry.js";
import { Journal, type Urgency } from "./journal.js";
import { ledgerKeys } from "./keys.js";
import { type Loaded, load } from "./load.js";
import type { Encoded, ResourceRecord } from "./record.js";
import { writeRecovery } from "./recovery.js";
import { Session } from "./session.js";
import { isGrowing, type StateStore } from "./store.js";
import { awaitTurn, type TurnSettings } from "./turn.js";

export interface LedgerSettings {
  readonly store: StateStore;
  readonly app: string;
  readonly stage: string;
  readonly rootDir: string;
  /** False: nothing is ever written, and no owner is waited for. */
  readonly writes: boolean;
  readonly command: string;
  readonly version: string;
  readonly here: ProcessIdentity;
  readonly owner: Owner;
  readonly lockTimeout: number;
  readonly ttl: number;
  readonly keep: number;
  readonly histories: number;
  readonly events: EventBus;
  readonly signal: AbortSignal;
  /** Called once, when nothing can be written any more. */
  broken(error: unknown): void;
}

export class Ledger {
  readonly #settings: LedgerSettings;
  readonly #turn: TurnSettings;
  /** Sessions that need no waiting: found dead. */
  readonly #dead = new Set<string>();
  readonly #readKeys = new Set<string>();
  readonly #readData = new Set<string>();
  #session!: Session;
  #journal!: Journal;
  #view!: Contents;
  #shared = true;
  #closing: CloseRecord | undefined;
  #failure: { readonly error: unknown } | undefined;

  private constructor(settings: LedgerSettings) {
    this.#settings = settings;
    const keys = ledgerKeys(settings.app, settings.stage);
    this.#turn = { ...settings, keys };
  }

  /**
   * Loads the state and, where the run may write, waits for its turn.
   *
   * @throws EngineError `STATE_LOCKED`, and everything that a load throws
   */
  static async open(settings: LedgerSettings): Promise<Ledger> {
    const ledger = new Ledger(settings);
    await ledger.reload();
    return ledger;
  }

  /** Loads again, for the next generation of declarations. */
  async reload(): Promise<void> {
    const loaded = await load(this.#turn);
    this.#begin(this.#settings.writes ? await awaitTurn(this.#turn, loaded, this.#dead) : loaded);
  }

  /** What is recorded, changes of this run included, durable or not. */
  get contents(): Contents {
    return this.#view;
  }

  /** The record of a key; remembered as read, so that another run's change of it is noticed. */
  read(key: string): ResourceRecord | undefined {
    this.#readKeys.add(key);
    return this.#view.at(key);
  }

  readData(owner: string, key: string): Encoded | undefined {
    this.#readData.add(owner);
    return this.#view.data.get(owner)?.get(key);
  }

  /** Queues changes; resolves when they and all queued earlier are durable. */
  commit(changes: readonly Change[], urgency: Urgency): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#shared) {
      this.#view = this.#view.copy();
      this.#shared = false;
    }
    for (const change of changes) this.#view.apply(change);
    return this.#journal.add(changes, urgency);
  }

  /** Resolves when everything queued so far is durable. */
  drain(): Promise<void> {
    return this.#journal.drain();
  }

  /** True once the run has written, or must end the session of a dead owner. */
  get hasToClose(): boolean {
    return this.#session.id !== undefined || this.#session.head.open !== undefined;
  }

  /** Writes what is queued and ends the session. A run that wrote nothing writes nothing here either. */
  async close(outcome: CloseRecord["outcome"], summary: RunSummary): Promise<void> {
    await this.#journal.drain();
    if (!this.#settings.writes || !this.hasToClose) return;
    const session = this.#session.id ?? "";
    this.#closing = { outcome, summary };
    await this.#journal.add([], "now");
    this.#closing = undefined;
    this.#settings.events.emit("state:unlocked", { session });
  }

  /** Stops the heartbeat and keeps results that could not be recorded; returns the recovery file's path, if any. */
  async abandon(): Promise<string | undefined> {
    await this.#session.abandon();
    const changes = this.#journal.unwritten.filter(isResult);
    if (changes.length === 0) return undefined;
    const { rootDir } = this.#settings;
    return writeRecovery({ rootDir, head: this.#session.head, session: this.#session.id ?? "unopened", changes });
  }

  #begin(loaded: Loaded): void {
    const { store, version, owner, command, ttl, histories, events } = this.#settings;
    this.#session = new Session(
      {
        ...this.#turn,
        version,
        owner,
        command,
        ttl,
        histories,
        moved: (next, own) => this.#moved(next, own),
        warn: (code, message) => events.warn(code, message),
      },
      loaded,
    );
    this.#journal = new Journal((changes) => this.#write(changes), !isGrowing(store));
    this.#view = loaded.contents;
    this.#shared = true;
    this.#closing = undefined;
    this.#readKeys.clear();
    this.#readData.clear();
  }

  async #write(changes: readonly Change[]): Promise<void> {
    const close = this.#closing;
    const before = this.#session.id;
    try {
      await this.#session.write(changes, close);
    } catch (error) {
      this.#failure ??= { error };
      this.#settings.broken(error);
      throw error;
    }
    const session = this.#session.id;
    const { events } = this.#settings;
    if (before === undefined && session !== undefined) events.emit("state:locked", { session });
    events.emit("state:committed", { seq: this.#session.head.seq, changes: changes.length });
  }

  /** Another session wrote: go on where that touched nothing that this run has read. */
  async #moved(found: Loaded, own: ReadonlySet<string>): Promise<Loaded> {
    for (const session of own) this.#dead.add(session);
    const loaded = await awaitTurn(this.#turn, found, this.#dead);
    const before = this.#session.contents;
    const after = loaded.contents;
    const differs =
      [...this.#readKeys].some((key) => !same(before.at(key), after.at(key))) ||
      [...this.#readData].some((owner) => !same(entries(before, owner), entries(after, owner)));
    const { app, stage } = this.#settings;
    if (differs) {
      throw new EngineError(
        "STATE_MOVED",
        `Another run changed "${app}/${stage}" while this one was at work, in what this one had read. Nothing more was changed. Run again.`,
      );
    }
    this.#view = after.copy();
    for (const change of this.#journal.unwritten) this.#view.apply(change);
    this.#shared = false;
    return loaded;
  }
}

function entries(contents: Contents, owner: string): unknown {
  return [...(contents.data.get(owner) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Results say what has happened in the world; an intent that was never durable was never acted on. */
function isResult(change: Change): boolean {
  return change.op !== "put" || change.record.status === "ready";
}
