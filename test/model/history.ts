/**
 * Written, read and known facts, each as a small number.
 *
 * A *line* stands for its whole text, so its number serves as its digest. A *content* is the chain of lines in one
 * journal file, a *history* the chain of lines that a client has folded since the first entry of the stage. Chains
 * share their beginnings. Equal numbers mean equal chains, so states are cheap to compare and to hash.
 */
import { Numbered } from "./numbered.js";

/** "kept": changes of plugins' data, and of no resource. */
export type LineKind = "open" | "ops" | "kept" | "settled" | "close" | "torn" | "stub";
export type LineId = number;
export type ContentId = number;
export type HistoryId = number;
export type CheckpointId = number;
/** The records after a history: the chain of its changes. */
export type RecordedId = number;
export type KeyId = number;

export interface Line {
  readonly kind: LineKind;
  readonly session: number;
  /** The journal entry that the line is in. */
  readonly seq: number;
  /** The line before, as its writer knew it: the digest that the line carries. */
  readonly prev: LineId;
  /** Earlier entries whose length and last digest this line records, each as that very content. */
  readonly names: readonly ContentId[];
  /** Whether more lines may follow in the same file; an entry made only by `create` is complete when it exists. */
  readonly grows: boolean;
  /** An `open` whose predecessor had not ended with a `close`: the guard that trimming spares. */
  readonly takeover: boolean;
  readonly seal?: LineSeal;
}

export interface LineSeal {
  /** The key that is among the changes; 0 for none. */
  readonly brings: KeyId;
  /** The contents that it vouches for. */
  readonly vouches?: RecordedId;
  /** Made with a key, from the line without it and its number in the entry: only holders of the key can make one. */
  readonly mac?: { readonly key: KeyId; readonly number: number; readonly body: LineId };
}

export interface Checkpoint {
  readonly folds: HistoryId;
  /** Made with a key, from a checkpoint that folds this. */
  readonly mac?: { readonly key: KeyId; readonly folds: HistoryId };
}

interface ContentNode {
  readonly parent: ContentId;
  readonly line: LineId;
  readonly first: LineId;
  readonly seq: number;
  readonly length: number;
}

interface HistoryNode {
  readonly parent: HistoryId;
  readonly line: LineId;
  readonly depth: number;
  readonly seq: number;
  /** The lines of the newest entry that the history holds. */
  readonly content: ContentId;
  readonly guards: readonly number[];
  readonly recorded: RecordedId;
  readonly hasRecords: boolean;
  /** The key that is recorded. */
  readonly key: KeyId;
}

/** The session in lines of a forger. */
export const NOBODY = 99;

const NO_LINE: Line = { kind: "close", session: 0, seq: 0, prev: 0, names: [], grows: false, takeover: false };
const NO_HISTORY: HistoryNode = {
  ...{ parent: 0, line: 0, depth: 0, seq: 0, content: 0, guards: [] },
  ...{ recorded: 0, hasRecords: false, key: 0 },
};
/** Chains stay far below this many, so a pair of numbers fits one exact double. */
const PAIR = 2 ** 24;

export class History {
  readonly #lines = new Numbered<string, Line>(NO_LINE);
  readonly #contents = new Numbered<number, ContentNode>({ parent: 0, line: 0, first: 0, seq: 0, length: 0 });
  readonly #histories = new Numbered<number, HistoryNode>(NO_HISTORY);
  readonly #recorded = new Numbered<number, number>(0);
  readonly #checkpoints = new Numbered<string, Checkpoint>({ folds: 0 });
  readonly #folds = new Map<number, HistoryId>();
  readonly #isGuard: (first: Line) => boolean;

  /** Takes a predicate for the entries that trimming spares, by the first line. */
  constructor(isGuard: (first: Line) => boolean) {
    this.#isGuard = isGuard;
  }

  line(line: Line): LineId {
    const { seal } = line;
    const sealed = seal ? `|${seal.brings}.${seal.vouches}.${seal.mac && Object.values(seal.mac).join(".")}` : "";
    const flags = `${line.grows}.${line.takeover}`;
    const key = `${line.kind}${line.session}.${line.seq}.${line.prev}.${flags}.${line.names.join()}${sealed}`;
    return this.#lines.find(key) ?? this.#lines.add(key, line);
  }

  checkpoint(checkpoint: Checkpoint): CheckpointId {
    const { folds, mac } = checkpoint;
    const key = `${folds}.${mac?.key}.${mac?.folds}`;
    return this.#checkpoints.find(key) ?? this.#checkpoints.add(key, checkpoint);
  }

  /** The content that is `parent` with one more line; 0 as parent begins a file. */
  push(parent: ContentId, line: LineId): ContentId {
    const key = parent * PAIR + line;
    const known = this.#contents.find(key);
    if (known !== undefined) return known;
    const { length, first } = this.#contents.at(parent);
    const node = { parent, line, first: first || line, seq: this.lineOf(line).seq, length: length + 1 };
    return this.#contents.add(key, node);
  }

  /** The history that is `parent` with one more line. */
  extend(parent: HistoryId, line: LineId): HistoryId {
    const key = parent * PAIR + line;
    const known = this.#histories.find(key);
    if (known !== undefined) return known;
    const before = this.#histories.at(parent);
    const { seq, kind, seal } = this.lineOf(line);
    const begins = seq !== before.seq;
    return this.#histories.add(key, {
      parent,
      line,
      depth: before.depth + 1,
      seq,
      content: this.push(begins ? 0 : before.content, line),
      guards: begins && this.#isGuard(this.lineOf(line)) ? [...before.guards, seq] : before.guards,
      recorded: kind === "ops" || kind === "kept" ? this.#record(before.recorded, line) : before.recorded,
      hasRecords: before.hasRecords || kind === "ops",
      key: seal?.brings || before.key,
    });
  }

  /** A line's changes are the same with and without a MAC. */
  #record(before: RecordedId, line: LineId): RecordedId {
    const key = before * PAIR + this.body(line);
    return this.#recorded.find(key) ?? this.#recorded.add(key, line);
  }

  /** A history that only a checkpoint can claim: the same, except that its last line ends the entry before. */
  early(id: HistoryId): HistoryId {
    const node = this.#histories.at(id);
    return this.#histories.find(-id) ?? this.#histories.add(-id, { ...node, seq: node.seq - 1, content: 0 });
  }

  /** The history that is `parent` with every line of `content`. */
  fold(parent: HistoryId, content: ContentId): HistoryId {
    if (content === 0) return parent;
    const key = parent * PAIR + content;
    let id = this.#folds.get(key);
    if (id === undefined) {
      const node = this.content(content);
      id = this.extend(this.fold(parent, node.parent), node.line);
      this.#folds.set(key, id);
    }
    return id;
  }

  lineOf(id: LineId): Line {
    return this.#lines.at(id);
  }

  /** The line without its MAC. */
  body(id: LineId): LineId {
    const line = this.lineOf(id);
    if (!line.seal?.mac) return id;
    const { mac: _mac, ...seal } = line.seal;
    return this.line({ ...line, seal });
  }

  checkpointOf(id: CheckpointId): Checkpoint {
    return this.#checkpoints.at(id);
  }

  content(id: ContentId): ContentNode {
    return this.#contents.at(id);
  }

  history(id: HistoryId): HistoryNode {
    return this.#histories.at(id);
  }

  /** The first line of a file identifies its session: no two sessions write the same line. */
  firstLine(id: ContentId): Line {
    return this.lineOf(this.content(id).first);
  }

  beginsContent(prefix: ContentId, whole: ContentId): boolean {
    const length = this.content(prefix).length;
    let node = whole;
    while (this.content(node).length > length) node = this.content(node).parent;
    return node === prefix;
  }

  beginsHistory(prefix: HistoryId, whole: HistoryId): boolean {
    const depth = this.history(prefix).depth;
    let node = whole;
    while (this.history(node).depth > depth) node = this.history(node).parent;
    return node === prefix;
  }

  hasLine(content: ContentId, line: LineId): boolean {
    for (let node = content; node !== 0; node = this.content(node).parent) {
      if (this.content(node).line === line) return true;
    }
    return false;
  }
}
