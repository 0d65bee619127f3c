/**
 * What can be written, read and known, each as a small number.
 *
 * A *line* stands for its whole text, so its number serves as its digest. A *content* is the chain of lines in one
 * journal file, a *history* the chain of lines that a client has folded since the first entry of the stage. Chains
 * share their beginnings: equal numbers mean equal chains, which is what makes states cheap to compare and to hash.
 */

export type LineKind = "open" | "ops" | "settled" | "close" | "torn" | "stub";
export type LineId = number;
export type ContentId = number;
export type HistoryId = number;

export interface Line {
  readonly kind: LineKind;
  readonly session: number;
  /** The journal entry that the line is in. */
  readonly seq: number;
  /** The line before, as its writer knew it: the digest that the line carries. */
  readonly prev: LineId;
  /** Earlier entries whose length and last digest this line records, each as that very content. */
  readonly names: readonly ContentId[];
  /** Whether more lines may follow in the same file; an entry made by `create` only is complete when it is there. */
  readonly grows: boolean;
  /** An `open` whose predecessor had not ended with a `close`: the guard that trimming spares. */
  readonly takeover: boolean;
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
  /** What the history holds of its newest entry. */
  readonly content: ContentId;
  readonly guards: readonly number[];
}

const NO_LINE: Line = { kind: "close", session: 0, seq: 0, prev: 0, names: [], grows: false, takeover: false };
/** Chains stay far below this many, so a pair of numbers fits one exact double. */
const PAIR = 2 ** 24;

function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`nothing is numbered ${index}`);
  return item;
}

export class History {
  readonly #lines: Line[] = [NO_LINE];
  readonly #contents: ContentNode[] = [{ parent: 0, line: 0, first: 0, seq: 0, length: 0 }];
  readonly #histories: HistoryNode[] = [{ parent: 0, line: 0, depth: 0, seq: 0, content: 0, guards: [] }];
  readonly #lineIds = new Map<string, LineId>();
  readonly #contentIds = new Map<number, ContentId>();
  readonly #historyIds = new Map<number, HistoryId>();
  readonly #folds = new Map<number, HistoryId>();
  readonly #isGuard: (first: Line) => boolean;

  /** Takes what trimming spares, told by an entry's first line. */
  constructor(isGuard: (first: Line) => boolean) {
    this.#isGuard = isGuard;
  }

  line(line: Line): LineId {
    const key = `${line.kind}${line.session}.${line.seq}.${line.prev}.${line.grows}.${line.takeover}.${line.names.join()}`;
    let id = this.#lineIds.get(key);
    if (id === undefined) {
      id = this.#lines.push(line) - 1;
      this.#lineIds.set(key, id);
    }
    return id;
  }

  /** The content that is `parent` with one more line; 0 as parent begins a file. */
  push(parent: ContentId, line: LineId): ContentId {
    const key = parent * PAIR + line;
    let id = this.#contentIds.get(key);
    if (id === undefined) {
      const { length, first } = at(this.#contents, parent);
      const node = { parent, line, first: first || line, seq: this.lineOf(line).seq, length: length + 1 };
      id = this.#contents.push(node) - 1;
      this.#contentIds.set(key, id);
    }
    return id;
  }

  /** The history that is `parent` with one more line. */
  extend(parent: HistoryId, line: LineId): HistoryId {
    const key = parent * PAIR + line;
    let id = this.#historyIds.get(key);
    if (id === undefined) {
      const before = at(this.#histories, parent);
      const { seq } = this.lineOf(line);
      const begins = seq !== before.seq;
      const content = this.push(begins ? 0 : before.content, line);
      const guards = begins && this.#isGuard(this.lineOf(line)) ? [...before.guards, seq] : before.guards;
      id = this.#histories.push({ parent, line, depth: before.depth + 1, seq, content, guards }) - 1;
      this.#historyIds.set(key, id);
    }
    return id;
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
    return at(this.#lines, id);
  }

  content(id: ContentId): ContentNode {
    return at(this.#contents, id);
  }

  history(id: HistoryId): HistoryNode {
    return at(this.#histories, id);
  }

  /** The first line of a file tells which session's file it is: no two sessions write the same line. */
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

  describeContent(id: ContentId): string {
    const words: string[] = [];
    for (let node = id; node !== 0; node = this.content(node).parent)
      words.push(this.describeLine(this.content(node).line));
    return id === 0 ? "nothing" : `${this.content(id).seq}[${words.reverse().join(" ")}]`;
  }

  describeLine(id: LineId): string {
    const { kind, session, names, takeover } = this.lineOf(id);
    const named = names.map((name) => `${this.content(name).seq}:${this.content(name).length}`);
    return `${kind}${takeover ? "!" : ""}#${session}${named.length > 0 ? `(${named.join(" ")})` : ""}`;
  }

  describe(id: HistoryId): string {
    const files: string[] = [];
    let node = id;
    while (node !== 0) {
      const { content, seq } = this.history(node);
      files.push(this.describeContent(content));
      while (node !== 0 && this.history(node).seq === seq) node = this.history(node).parent;
    }
    return files.reverse().join(" ") || "nothing";
  }
}
