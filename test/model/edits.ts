/** Single edits of a forger without a key: something is put, cut or deleted, whatever the effect. */
import { describeCheckpoint, describeContent } from "./describing.js";
import type { CheckpointId, ContentId, History } from "./history.js";
import { Material, swapped, twin } from "./material.js";
import { isClosed } from "./reading.js";
import type { State } from "./state.js";
import type { Move, World } from "./turn.js";

export function editMoves(world: World, state: State): readonly Move[] {
  const { history, scenario } = world;
  const moves: Move[] = [];
  const add = (label: () => string, apply: (state: State) => void): void => {
    const stroke = (next: State): void => {
      apply(next);
      next.forged++;
    };
    moves.push({ label: () => `the forger ${label()}`, fault: false, apply: stroke });
  };
  for (let seq = 1; seq <= scenario.maxSeq; seq++) {
    for (const content of contentsFor(world, state, seq)) {
      const label = () => (content === 0 ? `takes entry ${seq} away` : `puts ${describeContent(history, content)}`);
      add(label, (next) => {
        next.journal[seq] = content;
      });
    }
    for (const checkpoint of checkpointsFor(world, state, seq)) {
      const label = () =>
        checkpoint === 0 ? `takes checkpoint ${seq} away` : `puts ${describeCheckpoint(history, checkpoint)} as ${seq}`;
      add(label, (next) => {
        next.checkpoints[seq] = checkpoint;
      });
    }
  }
  return moves;
}

function contentsFor(world: World, state: State, seq: number): ReadonlySet<ContentId> {
  const { history, past } = world;
  const there = state.journal[seq] ?? 0;
  const before = state.journal[seq - 1] ?? 0;
  const contents = new Set<ContentId>();
  for (const node of past.moments(state.past)) {
    const { seq: of, content } = history.history(node);
    if (of === seq) contents.add(content);
  }
  if (there !== 0) contents.add(0).add(history.content(there).parent).add(bare(history, there));
  if (there === 0 || (history.firstLine(there).grows && !isClosed(history, there))) {
    const from = new Material(world, past.lines(state.past));
    const spot = { seq, isFirst: there === 0, known: history.fold(history.fold(0, before), there) };
    for (const line of [...from.seen(spot), ...from.strange(spot)]) contents.add(history.push(there, line));
  }
  contents.delete(there);
  return contents;
}

/** All its lines, without their MACs. */
function bare(history: History, id: ContentId): ContentId {
  const { parent, line } = history.content(id);
  const { kind, session, seq, prev, names, grows, takeover } = history.lineOf(line);
  const before = parent === 0 ? 0 : bare(history, parent);
  const follows = before === 0 ? prev : history.content(before).line;
  return history.push(before, history.line({ kind, session, seq, prev: follows, names, grows, takeover }));
}

function checkpointsFor({ history, past }: World, state: State, seq: number): ReadonlySet<CheckpointId> {
  const there = state.checkpoints[seq] ?? 0;
  const checkpoints = new Set(past.checkpoints(state.past));
  for (const node of past.moments(state.past)) {
    if (history.history(node).seq !== seq) continue;
    checkpoints.add(history.checkpoint({ folds: node })).add(history.checkpoint({ folds: twin(history, node) }));
  }
  if (there !== 0) checkpoints.add(0).add(swapped(history, there));
  checkpoints.delete(there);
  return checkpoints;
}
