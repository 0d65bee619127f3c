/** The order of the stages of a fleet: what each waits for, without cycles, and in a wave that is not too early. */
import { EngineError } from "../../core/base/index.js";
import type { ScheduleItem } from "./schedule.js";

/** A stage as it was listed. */
export interface Listed {
  readonly stage: string;
  readonly wave: number;
  /** Key of its limits. */
  readonly key: string;
  /** Names of the stages that it waits for, as the program gave them. */
  readonly after: readonly string[];
  /** Names of the stages whose outputs it read in an earlier run. */
  readonly refs: readonly string[];
}

/**
 * Returns the items of a schedule, in the order of the list. An earlier reference that would make a cycle is ignored:
 * it describes an earlier program.
 *
 * @param isReversed for a destroy
 * @throws EngineError `INVALID_OPTION` for a cycle, and for a stage that is not in the list
 */
export function ordered(listed: readonly Listed[], isReversed: boolean): readonly ScheduleItem[] {
  const indexes = new Map(listed.map(({ stage }, index) => [stage, index]));
  const after = listed.map((one) => indexesOf(one, indexes));
  const cycle = findCycle(after);
  if (cycle) {
    const names = [...cycle, cycle[0] ?? 0].map((index) => JSON.stringify(listed[index]?.stage));
    throw new EngineError(
      "INVALID_OPTION",
      `Stages of the fleet wait for each other: ${names.join(" waits for ")}. Nothing was started. Change the function "after".`,
    );
  }
  addReferences(listed, indexes, after);
  const edges = isReversed ? reversed(after) : after;
  const waves = pulledForward(
    listed.map(({ wave }) => wave),
    edges,
  );
  return listed.map(({ key }, index) => ({ key, wave: waves[index] ?? 0, after: edges[index] ?? [] }));
}

function indexesOf({ stage, after }: Listed, indexes: ReadonlyMap<string, number>): number[] {
  return [...new Set(after)].map((name) => {
    const index = indexes.get(name);
    if (index !== undefined) return index;
    throw new EngineError(
      "INVALID_OPTION",
      `The stage ${JSON.stringify(stage)} waits for ${JSON.stringify(name)}, which is not a stage of the fleet. Nothing was started. Change the function "after", or add the stage.`,
    );
  });
}

const [UNSEEN, ON_PATH, DONE] = [0, 1, 2];

/** Returns the indexes of a cycle, each of which waits for the next. */
function findCycle(after: readonly (readonly number[])[]): readonly number[] | undefined {
  const marks = new Uint8Array(after.length);
  for (let start = 0; start < after.length; start++) {
    if (marks[start] !== UNSEEN) continue;
    const path: { readonly index: number; next: number }[] = [{ index: start, next: 0 }];
    marks[start] = ON_PATH;
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const to = after[top.index]?.[top.next++];
      if (to === undefined) {
        marks[top.index] = DONE;
        path.pop();
      } else if (marks[to] === ON_PATH) {
        return path.slice(path.findIndex(({ index }) => index === to)).map(({ index }) => index);
      } else if (marks[to] === UNSEEN) {
        marks[to] = ON_PATH;
        path.push({ index: to, next: 0 });
      }
    }
  }
  return undefined;
}

function addReferences(listed: readonly Listed[], indexes: ReadonlyMap<string, number>, after: number[][]): void {
  for (const [index, { refs }] of listed.entries()) {
    for (const name of refs) {
      const to = indexes.get(name);
      const own = after[index];
      if (to === undefined || !own || to === index || own.includes(to) || leadsTo(after, to, index)) continue;
      own.push(to);
    }
  }
}

function leadsTo(after: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const index of seen) {
    if (index === to) return true;
    for (const next of after[index] ?? []) seen.add(next);
  }
  return false;
}

function reversed(after: readonly (readonly number[])[]): number[][] {
  const edges: number[][] = after.map(() => []);
  for (const [index, others] of after.entries()) for (const other of others) edges[other]?.push(index);
  return edges;
}

/** Returns the wave of each item, so that nothing waits for an item of a later wave. */
function pulledForward(waves: readonly number[], edges: readonly (readonly number[])[]): readonly number[] {
  const pulled = [...waves];
  const queue = pulled.map((_, index) => index).filter((index) => (edges[index]?.length ?? 0) > 0);
  for (const index of queue) {
    const wave = pulled[index] ?? 0;
    for (const other of edges[index] ?? []) {
      if ((pulled[other] ?? 0) <= wave) continue;
      pulled[other] = wave;
      queue.push(other);
    }
  }
  return pulled;
}
