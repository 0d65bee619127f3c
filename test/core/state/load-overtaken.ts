/**
 * A load that is overtaken by checkpoints and trimming, with every interleaving of its requests and the writer's. It
 * finds at least everything that was acknowledged before it began.
 */

import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, MANY_CHECKPOINTS, testLedgers } from "../../helpers/stores/ledgers.js";
import { type StoreCall, storeAround } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";

const ledgers = testLedgers();
export const KEEP = 2;

interface Moment {
  readonly values: ReadonlyMap<string, string>;
  /** Number of records acknowledged as durable. */
  readonly acknowledged: number;
}

/** Contents of the store before, between and after all requests of some runs that each record resources and close. */
export async function history(
  inner: StateStore,
  runs: number,
  through = (store: StateStore) => store,
): Promise<Moment[]> {
  const moments: Moment[] = [];
  let acknowledged = 0;
  const recording = storeAround(inner, async (call, act) => {
    if (writes(call)) moments.push({ values: await snapshot(inner), acknowledged });
    return act();
  });
  const store = through(recording);
  for (let run = 1; run <= runs; run++) {
    const limits = run % 2 === 0 ? MANY_CHECKPOINTS : CLOSING_CHECKPOINTS;
    const { put, close } = await ledgers.run(store, { keep: KEEP, histories: 0, limits });
    for (const key of [`${run}a`, `${run}b`]) {
      await put(key);
      acknowledged++;
    }
    await close();
  }
  moments.push({ values: await snapshot(inner), acknowledged });
  return moments;
}

function writes({ op }: StoreCall): boolean {
  return op === "create" || op === "append" || op === "deleteMany";
}

/** A store that answers the first request from one moment, the next from another, and so on; the last moment stays. */
export function answering(moments: readonly Moment[], grows: boolean, ignoresLateWrites = false): StateStore {
  let asked = 0;
  const now = (): ReadonlyMap<string, string> =>
    moments[Math.min(asked++, moments.length - 1)]?.values ?? new Map<string, string>();
  return {
    ...memoryStore({ append: grows }),
    ignoresLateWrites,
    get: async (key) => now().get(key),
    async getMany(wanted) {
      const values = now();
      return wanted.map((key) => values.get(key));
    },
    async *list(prefix) {
      yield* [...now().keys()].filter((key) => key.startsWith(prefix));
    },
  };
}

/** Loads with every interleaving of `steps` requests; returns the first one that found too little. */
export async function firstStale(
  moments: readonly Moment[],
  steps: number,
  grows: boolean,
  ignoresLateWrites = false,
): Promise<string | undefined> {
  for (const at of ascending(moments.length, steps)) {
    const chosen = at.flatMap((index) => moments[index] ?? []);
    const loaded = await loadFrom(answering(chosen, grows, ignoresLateWrites), { keep: KEEP });
    if (recorded(loaded).length < (chosen[0]?.acknowledged ?? 0)) return at.join(" ");
  }
  return undefined;
}

/** Every ascending choice of numbers below `end`. */
function* ascending(end: number, count: number, from = 0): Generator<number[]> {
  if (count === 0) yield [];
  else
    for (let first = from; first < end; first++)
      for (const rest of ascending(end, count - 1, first)) yield [first, ...rest];
}
