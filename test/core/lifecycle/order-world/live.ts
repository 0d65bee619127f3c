/** Runs a history, and after each run tries every deletion that could follow. */
import { comparePositions } from "../../../../core/order/index.js";
import { type Deletion, deleteAtOnce, deleteInTurn, type Early } from "./deletion.ts";
import type { Chapter } from "./history.ts";
import { edited, emptyProgram } from "./program.ts";
import { run } from "./run.ts";
import { type Copy, World } from "./world.ts";

export interface Life {
  readonly early: readonly Early[];
  /** Resources whose position contradicts their parent or their own end. */
  readonly misplaced: readonly string[];
  /** Moves of all its runs. */
  readonly moves: number;
  /** Moves when the program ran once more, unchanged, after a complete run. */
  readonly idleMoves: number;
  /** Log of the history, for reading a failure. */
  readonly trace: readonly string[];
}

export function live(chapters: readonly Chapter[]): Life {
  const world = new World();
  const early: Early[] = [];
  const misplaced: string[] = [];
  const trace: string[] = [];
  let [program, moves, idleMoves] = [emptyProgram(), 0, 0];
  for (const chapter of chapters) {
    program = edited(program, chapter.edits);
    const ran = run(world, program, chapter);
    moves += ran.moves;
    trace.push(`run of ${JSON.stringify(program)} with ${JSON.stringify(chapter)}`, ...ran.log);
    const all = [...world.copies.values()];
    const prune = deleteInTurn(ran.doomed);
    const tried: readonly Deletion[] = [
      prune,
      deleteAtOnce(ran.doomed, chapter.delays),
      deleteInTurn(all),
      deleteAtOnce(all, chapter.delays),
    ];
    early.push(...tried.flatMap((each) => each.early));
    misplaced.push(...all.filter((copy) => isMisplaced(copy, world)).map(({ uid }) => uid));
    if (!ran.complete) continue;
    for (const uid of prune.deleted.slice(0, chapter.pruned)) world.copies.delete(uid);
    const again = { delays: chapter.delays.toReversed(), fails: [], killAt: undefined };
    idleMoves += run(world, program, again).moves;
  }
  return { early, misplaced, moves, idleMoves, trace };
}

/** An interval has a length, and a child stands above its parent. */
function isMisplaced({ ready, done, parent }: Copy, world: World): boolean {
  const home = world.get(parent);
  if (home && comparePositions(ready, home.ready) <= 0) return true;
  return done !== undefined && comparePositions(ready, done) >= 0;
}
