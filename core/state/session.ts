/** One tenure as the only writer of a stage: opens with its first write, appends, closes. */
import { randomUUID } from "node:crypto";
import { EngineError, messageOf } from "../errors.js";
import { NOTHING_DONE } from "../vocabulary.js";
import type { Change, Contents } from "./change.js";
import { writeCheckpoint } from "./checkpoint.js";
import { type CloseRecord, type Entry, FORMAT, type OpenRecord, type Owner, type Settled, writeLine } from "./entry.js";
import { advance, type Head } from "./head.js";
import { Lease } from "./lease.js";
import { isCurrent, type LedgerPlace, type Loaded, load } from "./load.js";
import { isGrowing } from "./store.js";
import { remember, trim } from "./trim.js";

export interface SessionSettings extends LedgerPlace {
  readonly owner: Owner;
  /** What the session is for, e.g. "up". */
  readonly command: string;
  readonly version: string;
  readonly ttl: number;
  /** How many closed checkpoints to keep for people. */
  readonly histories: number;
  /**
   * Called when another session wrote since the load; throws where that touches what the run has read.
   * Resolves with the load to go on from.
   * @param own sessions that this run itself began
   */
  moved(loaded: Loaded, own: ReadonlySet<string>): Promise<Loaded>;
  warn(code: string, message: string): void;
}

const MAX_ENTRIES = 64;
const MAX_TAIL = 1_000_000;
/** A state of at most this many characters gets a checkpoint at the end of every run that changed it. */
const SMALL_STATE = 1_000_000;

export class Session {
  readonly #settings: SessionSettings;
  readonly #grows: boolean;
  #loaded: Loaded;
  #head: Head;
  #base: number;
  #baseSize: number;
  #tailSize: number;
  #id: string | undefined;
  readonly #own = new Set<string>();
  #lease: Lease | undefined;
  #checkpointing: Promise<void> = Promise.resolve();

  constructor(settings: SessionSettings, loaded: Loaded) {
    this.#settings = settings;
    this.#grows = isGrowing(settings.store);
    this.#loaded = loaded;
    this.#head = loaded.head;
    this.#base = loaded.base;
    this.#baseSize = loaded.baseSize;
    this.#tailSize = loaded.tailSize;
  }

  get head(): Head {
    return this.#head;
  }

  get contents(): Contents {
    return this.#loaded.contents;
  }

  /** Name of the session, once it has written. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * Appends changes; they are durable when it resolves. Calls must not overlap.
   *
   * @throws EngineError `FENCED` when another session has taken over
   */
  async write(changes: readonly Change[], close?: CloseRecord): Promise<void> {
    if (this.#id === undefined) await this.#open(changes, close);
    else if (this.#isCheckpointDue()) await this.#rollOver(changes, close);
    else await this.#append(changes, close);
    for (const change of changes) this.contents.apply(change);
    if (close) await this.#closed();
  }

  /** Stops the heartbeat of a session that can write no more. */
  async abandon(): Promise<void> {
    await this.#lease?.end(false);
    await this.#checkpointing;
  }

  async #open(changes: readonly Change[], close: CloseRecord | undefined): Promise<void> {
    const { store, keys } = this.#settings;
    for (;;) {
      const { head, base } = this.#loaded;
      const id = randomUUID();
      // While the last owner may still be adding lines to its segment, what it holds is not known before ours is there.
      const unsure = head.open !== undefined && head.grows;
      const content = unsure ? {} : this.#content(changes, close);
      const seq = head.seq + 1;
      const entry: Entry = { seq, session: id, prev: head.digest, ...this.#growing(), open: this.#opening(head), ...content };
      const { text, digest } = writeLine(entry);
      const key = keys.entry(seq);
      const made = (await store.create(key, text)) || (await store.get(key)) === text;
      this.#own.add(id);
      if (!made || !(await isCurrent(this.#settings, base))) {
        await this.#reload();
        continue;
      }
      await this.#probe(head, key, text);
      this.#id = id;
      this.#advance({ entry, digest }, text);
      this.#lease = new Lease(store, keys, id, this.#settings.ttl);
      if (unsure) await this.#settle(changes, close);
      return;
    }
  }

  /** Reads the segments of the owners before to their end, which our entry has fenced, and records how long they are. */
  async #settle(changes: readonly Change[], close: CloseRecord | undefined): Promise<void> {
    const loaded = await load(this.#settings);
    if (loaded.head.open?.session !== this.#id) throw fenced(this.#settings);
    const settled = loaded.unsettled.map(({ seq, lines }) => settledAt(seq, lines.length, lines.at(-1)?.digest));
    try {
      await this.#settings.moved(loaded, this.#own);
    } catch (error) {
      this.#take(loaded);
      await this.#append([], { outcome: "left", summary: NOTHING_DONE }, settled);
      await this.#lease?.end(true);
      throw error;
    }
    this.#take(loaded);
    await this.#append(changes, close, settled);
  }

  async #reload(): Promise<void> {
    this.#take(await this.#settings.moved(await load(this.#settings), this.#own));
  }

  #take(loaded: Loaded): void {
    this.#loaded = loaded;
    this.#head = loaded.head;
    this.#base = loaded.base;
    this.#baseSize = loaded.baseSize;
    this.#tailSize = loaded.tailSize;
  }

  async #append(changes: readonly Change[], close?: CloseRecord, settled?: readonly Settled[]): Promise<void> {
    if (!this.#grows) return this.#create(changes, close, settled);
    const { store, keys } = this.#settings;
    const { seq, digest: prev } = this.#head;
    const entry: Entry = { seq, session: this.#session, prev, ...settledOf(settled), ...this.#content(changes, close) };
    const line = writeLine(entry);
    if (!isGrowing(store)) throw fenced(this.#settings);
    const fence = keys.entry(seq + 1);
    const ours = await store.append(keys.entry(seq), line.text, fence, { sync: close !== undefined });
    if (!ours) throw fenced(this.#settings);
    this.#advance({ entry, digest: line.digest }, line.text);
  }

  async #create(changes: readonly Change[], close?: CloseRecord, settled?: readonly Settled[]): Promise<void> {
    const { store, keys } = this.#settings;
    const seq = this.#head.seq + 1;
    const content = { ...settledOf(settled), ...this.#content(changes, close) };
    const entry: Entry = { seq, session: this.#session, prev: this.#head.digest, ...this.#growing(), ...content };
    const line = writeLine(entry);
    const key = keys.entry(seq);
    const made = await store.create(key, line.text, { sync: close !== undefined });
    // A lost reply looks like somebody else's entry until it is read.
    if (!made && (await store.get(key)) !== line.text) throw fenced(this.#settings);
    this.#advance({ entry, digest: line.digest }, line.text);
  }

  /** Ends the present entry for good, so that a checkpoint can stand for it, and goes on in the next one. */
  async #rollOver(changes: readonly Change[], close: CloseRecord | undefined): Promise<void> {
    const { head } = this;
    const text = this.#checkpointText();
    const { seq, lines, digest } = head;
    await this.#create(changes, close, this.#grows ? [settledAt(seq, lines, digest)] : undefined);
    this.#based(seq, text);
    this.#checkpointing = this.#checkpointing.then(() => this.#checkpoint(head, text));
  }

  #isCheckpointDue(): boolean {
    const entries = this.#head.seq - this.#base;
    return entries > MAX_ENTRIES || this.#tailSize > Math.max(MAX_TAIL, this.#baseSize / 4);
  }

  async #closed(): Promise<void> {
    const small = this.#baseSize + this.#tailSize <= SMALL_STATE;
    await this.#lease?.end(true);
    await this.#checkpointing;
    // Whatever is written after this begins another session.
    this.#id = undefined;
    if (!small && !this.#isCheckpointDue()) return;
    const text = this.#checkpointText();
    this.#based(this.#head.seq, text);
    await this.#checkpoint(this.#head, text, this.#settings.histories);
  }

  #based(seq: number, text: string): void {
    this.#base = seq;
    this.#baseSize = text.length;
    this.#tailSize = 0;
  }

  #checkpointText(): string {
    const { store, version } = this.#settings;
    return writeCheckpoint(this.#head, this.contents, version, store.pretty === true);
  }

  /** A checkpoint only spares reading: what it stands for is durable already, so its failure is told, not thrown. */
  async #checkpoint(head: Head, text: string, histories = 0): Promise<void> {
    const { store, keys, app, stage, warn } = this.#settings;
    try {
      await store.create(keys.checkpoint(head.seq), text);
      await trim(this.#settings, head);
      await remember(this.#settings, head.seq, text, histories);
    } catch (error) {
      warn("CHECKPOINT_FAILED", `No checkpoint of "${app}/${stage}" could be kept: ${messageOf(error)}`);
    }
  }

  /** A store that ignores the condition of `create` is found out with one's own entry, which must be there already. */
  async #probe(head: Head, key: string, text: string): Promise<void> {
    const { store, version } = this.#settings;
    if (head.version === version || !(await store.create(key, text))) return;
    throw new EngineError(
      "STORE_NOT_ATOMIC",
      `The ${store.name} store overwrites what exists although it was told not to, so it cannot keep two runs apart. Use a store with conditional writes.`,
    );
  }

  #opening(head: Head): OpenRecord {
    const { owner, command, version, ttl, app, stage } = this.#settings;
    const genesis = head.lineage === undefined ? { genesis: { lineage: randomUUID(), app, stage } } : {};
    return { owner, command, version, format: FORMAT, ttl, ...genesis };
  }

  #content(changes: readonly Change[], close: CloseRecord | undefined): Pick<Entry, "ops" | "close"> {
    return { ...(changes.length > 0 ? { ops: changes } : {}), ...(close ? { close } : {}) };
  }

  #growing(): Pick<Entry, "grows"> {
    return this.#grows ? { grows: true } : {};
  }

  get #session(): string {
    return this.#id ?? "";
  }

  #advance(line: { readonly entry: Entry; readonly digest: string }, text: string): void {
    this.#head = advance(this.#head, line);
    this.#tailSize += text.length;
  }
}

function settledAt(seq: number, lines: number, digest: string | undefined): Settled {
  return { seq, lines, digest: digest ?? "" };
}

function settledOf(settled: readonly Settled[] | undefined): Pick<Entry, "settled"> {
  return settled && settled.length > 0 ? { settled } : {};
}

function fenced({ app, stage }: LedgerPlace): EngineError {
  return new EngineError(
    "FENCED",
    `Another run has taken over the state of "${app}/${stage}". This run stops here and writes nothing more; what it did meanwhile is in the recovery file. Look at what the other run did, then run again.`,
  );
}
