/** One tenure as the only writer of a stage: opens with its first write, appends, closes. */
import { messageOf } from "../errors.js";
import { appendLine, contentOf, createEntry } from "./append.js";
import type { Change, Contents } from "./change.js";
import { writeCheckpoint } from "./checkpoint.js";
import type { CloseRecord, Settled } from "./entry.js";
import { giveUp } from "./given-up.js";
import type { Head } from "./head.js";
import { dropLease, type Lease } from "./lease.js";
import { isCheckpointDue } from "./limits.js";
import type { Loaded } from "./load.js";
import { type OpeningSettings, openSession } from "./opening.js";
import { rebased, type Standing } from "./standing.js";
import { isGrowing } from "./store.js";
import { remember, trim } from "./trim.js";

export interface SessionSettings extends OpeningSettings {
  /** How many closed checkpoints to keep for people. */
  readonly histories: number;
  warn(code: string, message: string): void;
}

export class Session {
  readonly #settings: SessionSettings;
  #at: Loaded;
  #id: string | undefined;
  #lease: Lease | undefined;
  /** The session that this one took over from. */
  #replaced: string | undefined;
  #checkpointing: Promise<void> = Promise.resolve();

  constructor(settings: SessionSettings, loaded: Loaded) {
    this.#settings = settings;
    this.#at = loaded;
  }

  get head(): Head {
    return this.#at.head;
  }

  /** What is durable. */
  get contents(): Contents {
    return this.#at.contents;
  }

  /** Name of the session, once it has written. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * Appends changes; they are durable when it resolves, with the session's name. Calls must not overlap.
   *
   * @throws EngineError `FENCED` when another session has taken over
   */
  async write(changes: readonly Change[], close?: CloseRecord): Promise<string> {
    let id = this.#id;
    if (id === undefined) id = await this.#open(changes, close);
    else if (isCheckpointDue(this.#at, this.#settings.limits)) await this.#rollOver(id, changes, close);
    else await this.#append(id, changes, close);
    for (const change of changes) this.contents.apply(change);
    if (close) await this.#closed();
    return id;
  }

  /** Stops the heartbeat of a session that can write no more. */
  async abandon(): Promise<void> {
    if (this.#id !== undefined) giveUp(this.#id);
    await this.#lease?.end(false);
    await this.#checkpointing;
  }

  async #open(changes: readonly Change[], close: CloseRecord | undefined): Promise<string> {
    const content = contentOf(changes, close);
    const { id, loaded, lease, replaced, isAlone, settled } = await openSession(this.#settings, this.#at, content);
    this.#id = id;
    this.#at = loaded;
    this.#lease = lease;
    this.#replaced = replaced;
    if (isAlone) await this.#append(id, changes, close, settled);
    return id;
  }

  async #append(
    id: string,
    changes: readonly Change[],
    close: CloseRecord | undefined,
    settled?: readonly Settled[],
  ): Promise<void> {
    this.#stand(await appendLine(this.#settings, this.#at, id, contentOf(changes, close, settled)));
  }

  /** Ends the present entry for good, so that a checkpoint can stand for it, and goes on in the next one. */
  async #rollOver(id: string, changes: readonly Change[], close: CloseRecord | undefined): Promise<void> {
    const { head } = this;
    const text = this.#checkpointText();
    const { seq, lines, digest } = head;
    const settled = head.grows && isGrowing(this.#settings.store) ? [{ seq, lines, digest }] : [];
    this.#stand(await createEntry(this.#settings, rebased(this.#at, text), id, contentOf(changes, close, settled)));
    this.#checkpointing = this.#checkpointing.then(() => this.#checkpoint(head, text));
  }

  async #closed(): Promise<void> {
    const { store, keys, limits, histories } = this.#settings;
    const isSmall = this.#at.baseSize + this.#at.tailSize <= limits.small;
    await this.#lease?.end(true);
    if (this.#replaced !== undefined) await dropLease(store, keys.lease(this.#replaced));
    await this.#checkpointing;
    // Whatever is written after this begins another session.
    this.#id = undefined;
    if (!isSmall && !isCheckpointDue(this.#at, limits)) return;
    const text = this.#checkpointText();
    this.#stand(rebased(this.#at, text));
    await this.#checkpoint(this.head, text, histories);
  }

  #stand(at: Standing): void {
    this.#at = { ...this.#at, ...at, unsettled: [] };
  }

  #checkpointText(): string {
    const { store, version } = this.#settings;
    return writeCheckpoint(this.head, this.contents, version, store.pretty === true);
  }

  /** A checkpoint only spares reading: what it stands for is durable already, so its failure is told, not thrown. */
  async #checkpoint(head: Head, text: string, histories = 0): Promise<void> {
    const { store, keys, app, stage, warn } = this.#settings;
    try {
      await store.create(keys.checkpoint(head.seq), text);
      const { histories: kept } = await trim(this.#settings, head);
      await remember(this.#settings, { seq: head.seq, text, kept, keep: histories });
    } catch (error) {
      warn("CHECKPOINT_FAILED", `No checkpoint of "${app}/${stage}" could be kept: ${messageOf(error)}`);
    }
  }
}
