/** A period as the only writer of a stage: opens with the first write, appends, closes. */
import { messageOf } from "../../base/index.js";
import { isGrowing, type Sealer } from "../../contract/index.js";
import type { Change, Contents } from "../change.js";
import { isCheckpointDue, isSmall, isTailLong, remember, trim, writeCheckpoint } from "../checkpoint/checkpoint.js";
import { appendLine, type Content, createEntry } from "../journal/append.js";
import { type CloseRecord, MOVING_FORMAT, type Retired, type SegmentLength } from "../journal/entry.js";
import type { Head } from "../journal/head.js";
import { type JournalCursor, rebased } from "../journal/tail.js";
import type { Loaded } from "../load.js";
import type { SealState } from "../seal/sealer.js";
import { NO_EVIDENCE } from "../seal/sealer.js";
import { abandonSession, dropLease, type Lease } from "./lease.js";
import { identityOf, type OpeningSettings, openSession } from "./opening.js";

export interface SessionSettings extends OpeningSettings {
  /** Number of closed checkpoints to keep for display. */
  readonly histories: number;
  warn(code: string, message: string): void;
  /** Returns the contents that the run sees, and the changes in them that wait for a later append. */
  seen(): { readonly contents: Contents; readonly queued: readonly Change[] } | undefined;
}

/** Number of durable changes that are folded together: a program that declares few resources never pays for it. */
const MANY = 2048;

const NONE: Loaded["unsettled"] = [];

export class Session {
  readonly #settings: SessionSettings;
  /** Its contents lack later changes until they are read: see {@link contents}. */
  #at: Loaded;
  #unfolded: Change[] = [];
  #id: string | undefined;
  #lease: Lease | undefined;
  /** The session that this one took over from. */
  #replaced: string | undefined;
  #checkpointing: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The key that one of the next lines brings, with the change that records it. */
  #coming: { readonly change: Change; readonly sealer: Sealer } | undefined;

  constructor(settings: SessionSettings, loaded: Loaded) {
    this.#settings = settings;
    this.#at = loaded;
  }

  get head(): Head {
    return this.#at.head;
  }

  /** The durable contents. */
  get contents(): Contents {
    const changes = this.#unfolded;
    this.#unfolded = [];
    for (const change of changes) this.#at.contents.apply(change);
    return this.#at.contents;
  }

  /** Seal of the lines that may be written next. */
  get seal(): SealState {
    return this.#at.seal;
  }

  /** True if one of the next lines brings a key. */
  get isBringing(): boolean {
    return this.#coming !== undefined;
  }

  /** Seals the line that records this change, and all after it, with this key. */
  bring(change: Change, sealer: Sealer): void {
    this.#coming = { change, sealer };
  }

  /** True if others may have taken over since the last sign of life of this session. */
  get isSilent(): boolean {
    return this.#lease?.isSilent === true;
  }

  /** Notes that one of its lines was accepted. @param sent when it was sent, on the monotonic clock */
  proved(sent: number): void {
    this.#lease?.proved(sent);
  }

  /** Name of the session, once it has written. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * Appends changes; they are durable once the name of the session is returned, which is immediate if the store needs
   * no time. Calls must not overlap.
   *
   * @throws EngineError `FENCED` if another session has taken over
   */
  write(changes: readonly Change[], close?: CloseRecord): string | Promise<string> {
    const id = this.#id;
    if (id === undefined || close !== undefined || isTailLong(this.#at, this.#settings.limits)) {
      return this.#write(changes, close);
    }
    const at = appendLine(this.#settings, this.#at, id, this.#content(changes, close));
    if (at instanceof Promise) return at.then((reached) => this.#reached(reached, changes, id));
    return this.#reached(at, changes, id);
  }

  /** Stops writing and trimming as soon as it is known that another session may have taken over. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Stops the heartbeat of a session that can write no more. */
  async abandon(): Promise<void> {
    this.stop();
    if (this.#id !== undefined) abandonSession(this.#id);
    await this.#lease?.end(false);
    await this.#checkpointing;
  }

  /**
   * Ends the stage and the session with the next entry: an `open` that no session follows and that is never closed.
   *
   * @throws EngineError `FENCED` if another session has taken over
   */
  async retire(id: string, retired: Retired): Promise<void> {
    const { owner, command, version, ttl, store } = this.#settings;
    const open = { owner, command, version, ttl, store: identityOf(store), format: MOVING_FORMAT, retired };
    const content = this.#content([], undefined, this.#settled(this.head));
    this.#stand(await createEntry(this.#settings, this.#at, id, { ...content, open }));
    await this.#release();
    this.#id = undefined;
  }

  /** Writes with everything that a line may carry. */
  async #write(changes: readonly Change[], close: CloseRecord | undefined): Promise<string> {
    let id = this.#id;
    if (id === undefined) id = await this.#open(changes, close);
    else if (isTailLong(this.#at, this.#settings.limits)) await this.#rollOver(id, changes, close);
    else this.#stand(await appendLine(this.#settings, this.#at, id, this.#content(changes, close)));
    this.#reached(this.#at, changes, id);
    if (close) await this.#closed(close);
    return id;
  }

  #reached(at: JournalCursor, changes: readonly Change[], id: string): string {
    this.#stand(at);
    for (const change of changes) this.#unfolded.push(change);
    if (this.#unfolded.length >= MANY) this.#fold();
    if (this.#coming && changes.includes(this.#coming.change)) this.#coming = undefined;
    return id;
  }

  /** Keeps, instead of records that were replaced since, those that the run sees and so keeps as well. */
  #fold(): void {
    const seen = this.#settings.seen();
    if (!seen) return;
    const queued = new Set(seen.queued.flatMap(uidsIn));
    const { contents } = this.#at;
    for (const change of this.#unfolded) {
      const [uid = ""] = change.op === "put" || change.op === "patch" ? uidsIn(change) : [];
      const record = queued.has(uid) ? undefined : seen.contents.records.get(uid);
      if (record) contents.put(record);
      else contents.apply(change);
    }
    this.#unfolded = [];
  }

  #content(changes: readonly Change[], close?: CloseRecord, settled: readonly SegmentLength[] = []): Content {
    const sealer = this.#coming && changes.includes(this.#coming.change) ? this.#coming.sealer : undefined;
    return {
      brings: sealer && { sealer, contents: this.contents },
      settled: settled.length > 0 ? settled : undefined,
      ops: changes.length > 0 ? changes : undefined,
      close,
    };
  }

  async #open(changes: readonly Change[], close: CloseRecord | undefined): Promise<string> {
    const content = this.#content(changes, close);
    const from = { ...this.#at, contents: this.contents };
    const { id, loaded, lease, replaced, isAlone, settled } = await openSession(this.#settings, from, content);
    this.#id = id;
    this.#at = loaded;
    this.#lease = lease;
    this.#replaced = replaced;
    const hasMore = changes.length > 0 || close !== undefined || settled.length > 0;
    if (isAlone && hasMore)
      this.#stand(await appendLine(this.#settings, this.#at, id, this.#content(changes, close, settled)));
    return id;
  }

  /** Ends the present entry, so that a checkpoint can replace it, and continues in the next one. */
  async #rollOver(id: string, changes: readonly Change[], close: CloseRecord | undefined): Promise<void> {
    const { head, contents } = this;
    const text = writeCheckpoint(head, contents, { version: this.#settings.version, seal: this.seal });
    const at = rebased(this.#at, text, contents.records.size);
    this.#stand(await createEntry(this.#settings, at, id, this.#content(changes, close, this.#settled(head))));
    this.#checkpointing = this.#checkpointing.then(() => this.#checkpoint(head, text));
  }

  /** Length of this session's own entry, recorded in the next one. */
  #settled({ grows, seq, lines, digest }: Head): readonly SegmentLength[] {
    return grows && isGrowing(this.#settings.store) ? [{ seq, lines, digest }] : [];
  }

  /** Deletes the leases that are not needed any more. */
  async #release(): Promise<void> {
    const { store, keys } = this.#settings;
    await this.#lease?.end(true);
    if (this.#replaced !== undefined) await dropLease(store, keys.lease(this.#replaced));
  }

  async #closed(close: CloseRecord): Promise<void> {
    const { limits, histories, version, owner, command } = this.#settings;
    await this.#release();
    await this.#checkpointing;
    // Any later write begins another session.
    this.#id = undefined;
    const seen = this.#settings.seen();
    const contents = seen?.queued.length === 0 ? seen.contents : this.contents;
    const count = contents.records.size;
    if (!isSmall(this.#at, count, limits) && !isCheckpointDue(this.#at, limits)) return;
    const closed = { owner, command, ...close };
    const text = writeCheckpoint(this.head, contents, { version, seal: this.seal, closed });
    this.#stand(rebased(this.#at, text, count));
    await this.#checkpoint(this.head, text, histories);
  }

  #stand(at: JournalCursor): void {
    const { contents } = this.#at;
    const { head, base, baseSize, baseCount, tailSize, count, seal } = at;
    this.#at = {
      head,
      base,
      baseSize,
      baseCount,
      tailSize,
      count,
      seal,
      contents,
      unsettled: NONE,
      evidence: NO_EVIDENCE,
    };
  }

  /** A checkpoint only saves reading: its contents are durable already, so a failure is a warning. */
  async #checkpoint(head: Head, text: string, histories = 0): Promise<void> {
    const { store, keys, app, stage, warn } = this.#settings;
    if (this.#isStopped) return;
    try {
      await store.create(keys.checkpoint(head.seq), text);
      if (this.#isStopped) return;
      const { histories: kept } = await trim(this.#settings, head);
      await remember(this.#settings, { seq: head.seq, text, kept, keep: histories });
    } catch (error) {
      warn(
        "CHECKPOINT_FAILED",
        `The checkpoint of "${app}/${stage}" could not be written (${messageOf(error)}). Nothing is lost: the next run only reads more journal entries. If this repeats, check the store.`,
      );
    }
  }
}

/** Returns the uids of the records that a change may change. */
function uidsIn(change: Change): readonly string[] {
  switch (change.op) {
    case "put":
      return [change.record.uid];
    case "patch":
    case "drop":
      return [change.uid];
    case "place":
      return change.at.map(({ uid }) => uid);
    case "data":
    case "forget":
      return [];
  }
}
