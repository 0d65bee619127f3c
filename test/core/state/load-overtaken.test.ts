/**
 * A load that is overtaken by checkpoints and trimming, in every way in which its requests can fall between those of
 * the writer: it holds at least what was acknowledged before it began.
 */
import { describe, expect, it } from "vitest";
import type { StateStore } from "../../../core/contract/store.js";
import { memoryStore } from "../../../core/state/memory.js";
import { keys, loadFrom, recorded } from "../../helpers/journals.js";
import { CLOSING_CHECKPOINTS, MANY_CHECKPOINTS, testLedgers } from "../../helpers/ledgers.js";
import { type StoreCall, storeAround } from "../../helpers/store-around.js";
import { snapshot } from "../../helpers/store-contents.js";

const ledgers = testLedgers();
const KEEP = 2;

interface Moment {
  readonly values: ReadonlyMap<string, string>;
  /** How many records the writer had been told are durable. */
  readonly acknowledged: number;
}

/** What the store held before, between and after all requests of some runs that each record one resource and close. */
async function history(inner: StateStore, runs: number, through = (store: StateStore) => store): Promise<Moment[]> {
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

function checkpointsIn(values: ReadonlyMap<string, string> = new Map()): string[] {
  return [...values.keys()].filter((key) => key.startsWith(keys.checkpoints)).sort();
}

/** A store whose first request is answered from one moment, the next from another, and so on; the last one stays. */
function answering(moments: readonly Moment[], grows: boolean): StateStore {
  let asked = 0;
  const now = (): ReadonlyMap<string, string> =>
    moments[Math.min(asked++, moments.length - 1)]?.values ?? new Map<string, string>();
  return {
    ...memoryStore({ append: grows }),
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

/** Loads in each of the ways in which `steps` requests can fall; gives the first that found less than it should. */
async function firstStale(moments: readonly Moment[], steps: number, grows: boolean): Promise<string | undefined> {
  for (const at of ascending(moments.length, steps)) {
    const chosen = at.flatMap((index) => moments[index] ?? []);
    const loaded = await loadFrom(answering(chosen, grows), { keep: KEEP });
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

describe("a load that is overtaken", () => {
  it("finds all that was acknowledged before it began, on a store with segments", async () => {
    const moments = await history(memoryStore(), 4);
    expect(moments.length).toBeGreaterThan(30);
    expect(await firstStale(moments, 3, true)).toBeUndefined();
  });

  it("finds all that was acknowledged before it began, on a store without", async () => {
    const moments = await history(memoryStore({ append: false }), 4);
    expect(await firstStale(moments, 3, false)).toBeUndefined();
  });

  it("does not trust a checkpoint that a late request brought back after it was trimmed", async () => {
    const moments = await history(memoryStore({ append: false }), 4);
    const first = moments.findIndex(({ values }) => checkpointsIn(values).length === 1);
    const [checkpoint = ""] = checkpointsIn(moments[first]?.values);
    const before = moments.findLast(({ values }) => checkpointsIn(values).join() === checkpoint);
    const after = moments.at(-1);
    const text = before?.values.get(checkpoint) ?? "";
    const back = { values: new Map([...(after?.values ?? []), [checkpoint, text]]), acknowledged: 8 };
    // Listed before; the entry after it looked for when that was trimmed; fetched when it was back.
    const chosen = [before, after, back].flatMap((moment) => moment ?? []);
    expect(recorded(await loadFrom(answering(chosen, false), { keep: KEEP }))).toHaveLength(8);
  });

  it("would find less if trimming took entries before checkpoints", async () => {
    const backwards = (inner: StateStore): StateStore => {
      const kept: string[] = [];
      return {
        ...inner,
        async deleteMany(doomed) {
          const isLast = doomed.some((key) => key.includes("/journal/"));
          return isLast
            ? inner.deleteMany(doomed).then(() => inner.deleteMany(kept.splice(0)))
            : kept.push(...doomed) > 0;
        },
      };
    };
    expect(await firstStale(await history(memoryStore(), 4, backwards), 3, true)).toBeDefined();
  });
});
