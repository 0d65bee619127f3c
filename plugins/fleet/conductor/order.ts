/** Orders the stages of a fleet by the stages that each waits for, without cycles, and moves them to early waves. */
import { EngineError } from "../../../core/base/index.js";
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
  /** True if it left the list. Its references then say only what it is destroyed before. */
  readonly isExtra?: boolean;
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
  const after = listed.map((one) => indexesOf(one, indexes, listed, isReversed));
  const ranks = ranksOf(after);
  if (ranks.includes(UNRANKED)) {
    const cycle = findCycle(after, ranks);
    const names = [...cycle, cycle[0] ?? 0].map((index) => JSON.stringify(listed[index]?.stage));
    throw new EngineError(
      "INVALID_OPTION",
      `Stages of the fleet wait for each other: ${names.join(" waits for ")}. Nothing was started. Change the function "after".`,
    );
  }
  const references = referencesIn(listed, indexes, isReversed);
  const all = withReferences(after, references, ranks);
  const edges = isReversed ? reversed(all) : all;
  const waves = pulledForward(
    listed.map(({ wave }) => wave),
    edges,
  );
  return listed.map(({ key }, index) => ({ key, wave: waves[index] ?? 0, after: edges[index] ?? [] }));
}

function indexesOf(
  { stage, after }: Listed,
  indexes: ReadonlyMap<string, number>,
  listed: readonly Listed[],
  isReversed: boolean,
): readonly number[] {
  return [...new Set(after)].map((name) => {
    const index = indexes.get(name);
    if (index !== undefined && (isReversed || !listed[index]?.isExtra)) return index;
    throw new EngineError(
      "INVALID_OPTION",
      `The stage ${JSON.stringify(stage)} waits for ${JSON.stringify(name)}, which is not a stage of the fleet. Nothing was started. Change the function "after", or add the stage.`,
    );
  });
}

type Edges = readonly (readonly number[])[];

const UNRANKED = -1;

/** Returns the position of each item behind those that it waits for; {@link UNRANKED} if it waits for a cycle. */
function ranksOf(edges: Edges): Int32Array {
  const ranks = new Int32Array(edges.length).fill(UNRANKED);
  const open = Int32Array.from(edges, (others) => others.length);
  const dependents = reversed(edges);
  const queue = edges.map((_, index) => index).filter((index) => open[index] === 0);
  let rank = 0;
  for (const index of queue) {
    ranks[index] = rank++;
    for (const dependent of dependents[index] ?? []) {
      const left = (open[dependent] ?? 0) - 1;
      open[dependent] = left;
      if (left === 0) queue.push(dependent);
    }
  }
  return ranks;
}

/** Returns the indexes of a cycle, each of which waits for the next. */
function findCycle(edges: Edges, ranks: Int32Array): readonly number[] {
  const seen = new Set<number>();
  // An item without a rank waits for another one without a rank.
  let at = ranks.indexOf(UNRANKED);
  while (!seen.has(at)) {
    seen.add(at);
    at = edges[at]?.find((other) => ranks[other] === UNRANKED) ?? at;
  }
  const path = [...seen];
  return path.slice(path.indexOf(at));
}

/** Returns what each item read earlier, of the items that it may wait for. */
function referencesIn(listed: readonly Listed[], indexes: ReadonlyMap<string, number>, isReversed: boolean): Edges {
  const found: number[][] = listed.map(() => []);
  for (const [index, { refs, isExtra = false }] of listed.entries()) {
    for (const to of refs.map((name) => indexes.get(name))) {
      if (to === undefined || to === index) continue;
      if (isReversed) found[index]?.push(to);
      // The stages that left the list come last anyway. They are destroyed in the opposite order.
      else if ((listed[to]?.isExtra ?? false) !== isExtra) continue;
      else if (isExtra) found[to]?.push(index);
      else found[index]?.push(to);
    }
  }
  return found;
}

/** Adds references. Where references and edges make cycles, only those that agree with the ranks are added. */
function withReferences(edges: Edges, references: Edges, ranks: Int32Array): Edges {
  const all = edges.map((others, index) => {
    const own = references[index] ?? [];
    return own.length === 0 ? others : [...new Set([...others, ...own])];
  });
  const [waits, isWaitedFor] = [ranksOf(all), ranksOf(reversed(all))];
  const isNearCycle = (index: number): boolean => waits[index] === UNRANKED && isWaitedFor[index] === UNRANKED;
  return all.map((others, index) => {
    if (!isNearCycle(index)) return others;
    const known = new Set(edges[index]);
    return others.filter(
      (other) => known.has(other) || !isNearCycle(other) || (ranks[other] ?? 0) < (ranks[index] ?? 0),
    );
  });
}

function reversed(after: Edges): Edges {
  const edges: number[][] = after.map(() => []);
  for (const [index, others] of after.entries()) for (const other of others) edges[other]?.push(index);
  return edges;
}

/** Returns the wave of each item, so that nothing waits for an item of a later wave. */
function pulledForward(waves: readonly number[], edges: Edges): readonly number[] {
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
