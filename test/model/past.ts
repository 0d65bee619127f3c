/** Lines that clients with a key have written so far, in every branch that a forger has made of them. */
import type { CheckpointId, History, HistoryId, LineId } from "./history.js";
import { Numbered } from "./numbered.js";

export type PastId = number;

interface PastNode {
  /** A past that it has grown from. */
  readonly before: PastId;
  /** None is the beginning of another. */
  readonly histories: readonly HistoryId[];
  readonly checkpoints: readonly CheckpointId[];
}

/** The sets of histories and checkpoints that ever existed, each as a small number. */
export class Past {
  readonly #history: History;
  readonly #nodes = new Numbered<string, PastNode>({ before: 0, histories: [], checkpoints: [] });
  readonly #moments = new Map<PastId, ReadonlySet<HistoryId>>();
  readonly #lines = new Map<PastId, ReadonlySet<LineId>>();

  constructor(history: History) {
    this.#history = history;
  }

  with(id: PastId, known: HistoryId): PastId {
    const { histories, checkpoints } = this.#nodes.at(id);
    if (histories.some((one) => this.#history.beginsHistory(known, one))) return id;
    const others = histories.filter((one) => !this.#history.beginsHistory(one, known));
    return this.#number({ before: id, histories: [...others, known].sort(ascending), checkpoints });
  }

  withCheckpoint(id: PastId, checkpoint: CheckpointId): PastId {
    const { histories, checkpoints } = this.#nodes.at(id);
    if (checkpoints.includes(checkpoint)) return id;
    return this.#number({ before: id, histories, checkpoints: [...checkpoints, checkpoint].sort(ascending) });
  }

  #number(node: PastNode): PastId {
    const key = `${node.histories.join()}|${node.checkpoints.join()}`;
    return this.#nodes.find(key) ?? this.#nodes.add(key, node);
  }

  before(id: PastId): PastId {
    return this.#nodes.at(id).before;
  }

  checkpoints(id: PastId): readonly CheckpointId[] {
    return this.#nodes.at(id).checkpoints;
  }

  /** Every history that existed at some moment, except the empty one. */
  moments(id: PastId): ReadonlySet<HistoryId> {
    let moments = this.#moments.get(id);
    if (moments === undefined) {
      const found = new Set<HistoryId>();
      for (const last of this.#nodes.at(id).histories) {
        for (let node = last; node !== 0; node = this.#history.history(node).parent) found.add(node);
      }
      moments = found;
      this.#moments.set(id, moments);
    }
    return moments;
  }

  lines(id: PastId): ReadonlySet<LineId> {
    let lines = this.#lines.get(id);
    if (lines === undefined) {
      lines = new Set([...this.moments(id)].map((node) => this.#history.history(node).line));
      this.#lines.set(id, lines);
    }
    return lines;
  }

  /**
   * True of a history that existed at some moment, and of one without records. It may end with an `open` that was
   * written after another part of the same segment, or after a segment that was put back: that changes nothing.
   */
  isTrue(id: PastId, known: HistoryId): boolean {
    const { recorded } = this.#history.history(known);
    if (recorded === 0) return true;
    let node = known;
    while (node !== 0 && !this.#wasThere(id, node)) {
      const { line, parent, content } = this.#history.history(node);
      const isOpen = this.#history.lineOf(line).kind === "open" && this.#history.content(content).length === 1;
      if (!isOpen || !this.lines(id).has(line)) return false;
      node = parent;
    }
    return node !== 0;
  }

  /** Before a line that brings a key, only the records have to be the same, whatever lines led to them. */
  #wasThere(id: PastId, known: HistoryId): boolean {
    const moments = this.moments(id);
    return moments.has(known) || [...moments].some((moment) => this.#isSame(moment, known));
  }

  #isSame(one: HistoryId, other: HistoryId): boolean {
    if (one === other) return true;
    const [a, b] = [this.#history.history(one), this.#history.history(other)];
    const [here, there] = [a, b].map(({ content }) => this.#history.content(content).length);
    if (a.line !== b.line || a.line === 0 || here !== there) return false;
    const before = [a.parent, b.parent] as const;
    if (this.#history.lineOf(a.line).seal?.vouches === undefined) return this.#isSame(...before);
    return this.#history.history(before[0]).recorded === this.#history.history(before[1]).recorded;
  }
}

function ascending(one: number, other: number): number {
  return one - other;
}
