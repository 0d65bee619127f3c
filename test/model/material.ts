/** The material of a forger without a key. */
import { isLineBy } from "./evidence.js";
import {
  type CheckpointId,
  type History,
  type HistoryId,
  type KeyId,
  type Line,
  type LineId,
  type LineKind,
  NOBODY,
} from "./history.js";
import type { PastId } from "./past.js";
import type { World } from "./turn.js";

/** The place for a line. */
export interface Spot {
  readonly seq: number;
  readonly isFirst: boolean;
  /** All that precedes it. */
  readonly known: HistoryId;
}

const FORGED: Omit<Line, "kind" | "seq" | "prev"> = { session: NOBODY, names: [], grows: true, takeover: false };

export class Material {
  readonly #history: History;
  readonly #world: World;
  readonly #lines: ReadonlySet<LineId>;
  readonly #keys = new Set<KeyId>();
  /** By the line that each names before it. */
  readonly #followers = new Map<LineId, LineId[]>();
  readonly #opens: LineId[] = [];
  readonly #isAlone: boolean;
  /** The newest entry with a line that brings a key. */
  readonly lastVouching: number;

  /** @param beside all other lines; everything that needs none of `lines` was made before */
  constructor(world: World, lines: ReadonlySet<LineId>, beside?: Material) {
    this.#world = world;
    this.#isAlone = beside === undefined;
    this.#history = world.history;
    this.#lines = lines;
    let lastVouching = beside?.lastVouching ?? 0;
    for (const line of lines) {
      const { seal, seq, prev, kind } = world.history.lineOf(line);
      if (kind === "open") this.#opens.push(line);
      else this.#followers.set(prev, [...(this.#followers.get(prev) ?? []), line]);
      if (seal?.vouches !== undefined) lastVouching = Math.max(lastVouching, seq);
      if (seal && seal.brings > 0) this.#keys.add(seal.brings);
    }
    this.lastVouching = lastVouching;
  }

  has(line: LineId): boolean {
    return this.#lines.has(line);
  }

  /** Lines as they were written, where they were written. */
  seen(spot: Spot): readonly LineId[] {
    const followers = this.#followers.get(this.#history.history(spot.known).line) ?? [];
    return [...followers, ...this.#opens].filter((line) => this.#fits(line, spot) && this.#isOwn(line, spot));
  }

  /** Lines of another place, lines with another place in them, and lines of the forger's own. */
  strange(spot: Spot): ReadonlySet<LineId> {
    const made = new Set<LineId>();
    for (const line of this.#lines) {
      if (!this.#fits(line, spot)) for (const moved of this.#movedTo(line, spot)) made.add(moved);
      else if (!this.#isOwn(line, spot)) made.add(line);
    }
    for (const line of this.#forged(spot)) made.add(line);
    return made;
  }

  #fits(line: LineId, { seq, isFirst, known }: Spot): boolean {
    const there = this.#history.lineOf(line);
    if (there.seq !== seq) return false;
    return there.prev === this.#history.history(known).line || (there.kind === "open" && isFirst);
  }

  #isOwn(line: LineId, { known }: Spot): boolean {
    const mac = this.#history.lineOf(line).seal?.mac;
    if (mac === undefined) return true;
    return isLineBy(this.#history, this.#world.rules, { node: this.#history.extend(known, line), key: mac.key });
  }

  /** With its old MAC, if that is useful: a line's lengths can only make fewer lines count. */
  #movedTo(id: LineId, { seq, isFirst, known }: Spot): readonly LineId[] {
    const line = this.#history.lineOf(id);
    const { line: prev } = this.#history.history(known);
    const isOpen = line.kind === "open" && isFirst;
    if (!isOpen && line.kind !== "ops") return [];
    const moved = this.#history.line({ ...line, seq, prev });
    return isOpen ? [moved, this.#history.line({ ...line, seq })] : [moved];
  }

  /** Without a MAC. */
  #forged({ seq, isFirst, known }: Spot): readonly LineId[] {
    const { line: prev, parent, recorded } = this.#history.history(known);
    const line = (kind: LineKind, more: Partial<Line> = {}) =>
      this.#history.line({ ...FORGED, kind, seq, prev, ...more });
    const bringing = [...this.#keys].flatMap((brings) => [
      line("kept", { seal: { brings } }),
      line("ops", { seal: { brings, vouches: recorded } }),
    ]);
    if (!this.#isAlone) return bringing;
    const opens =
      isFirst && known !== 0 ? [line("open"), line("open", { prev: this.#history.history(parent).line })] : [];
    return [line("ops"), line("kept"), ...opens, ...bringing];
  }
}

/**
 * Checkpoints to begin with: none; those that were seen; those with any head and contents. One without a MAC is refused
 * if no line that vouches for it can follow it.
 */
export function bases(
  { history, past, rules }: World,
  id: PastId,
  { lastVouching }: Material,
): ReadonlySet<CheckpointId> {
  const seen = past.checkpoints(id);
  const isChecked = rules.checksCheckpoints && rules.refusesUnsealed;
  const bare = [...past.moments(id)]
    .flatMap((node) => [node, history.early(node), twin(history, node)])
    .filter((node) => history.history(node).seq > 0 && (!isChecked || history.history(node).seq <= lastVouching));
  return new Set([
    0,
    ...seen,
    ...bare.map((folds) => history.checkpoint({ folds })),
    ...seen.map((checkpoint) => swapped(history, checkpoint)),
  ]);
}

/** With its MAC, and other contents. */
export function swapped(history: History, checkpoint: CheckpointId): CheckpointId {
  const { folds, mac } = history.checkpointOf(checkpoint);
  return history.checkpoint({ folds: twin(history, folds), ...(mac ? { mac } : {}) });
}

/** Looks like a history by its last line, and has other records. */
export function twin(history: History, id: HistoryId): HistoryId {
  if (id !== 0) return history.extend(twin(history, history.history(id).parent), history.history(id).line);
  return history.extend(0, history.line({ ...FORGED, kind: "ops", seq: 0, prev: 0 }));
}
