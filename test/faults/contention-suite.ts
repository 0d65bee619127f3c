/** Contention on any store that several processes can open. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { KEYS, keyOfStage } from "../helpers/apps/under-key.js";
import { isLong } from "../helpers/checks/sampling.js";
import { loadFrom } from "../helpers/stores/journals.js";
import { testLedgers } from "../helpers/stores/ledgers.js";
import type { Opener, Place, WorkerOptions } from "./contention-crew.js";
import { readHistory } from "./contention-history.js";
import { violations } from "./contention-oracles.js";
import { type Contention, contend } from "./contention-rounds.js";

export interface ContendedStore extends Opener {
  /** Opens in the parent the store that `name` of `module` opens in a worker. */
  open(location: string): StateStore;
}

interface Runner {
  describe(title: string, body: () => void): unknown;
  it(title: string, options: { readonly timeout: number }, body: (context: Noted) => Promise<void>): unknown;
}

interface Noted {
  readonly task: { readonly meta: { note?: string } };
}

const SEED = Number(process.env.SEED ?? 1);
const DAY = 86_400_000;

/** Half of the workers are on this machine, each of the others on a machine of its own. */
const machines = (count: number): readonly WorkerOptions[] =>
  Array.from({ length: count }, (_, at) => (at < count / 2 ? {} : { machine: `${at}` }));

/** @param few number of rounds unless the run is a long one; one is a sample, of the harder kind */
export function contentionSuite({ describe, it }: Runner, { module, name, open }: ContendedStore, few = 20): void {
  const isSample = few === 1;
  const rounds = isLong && !isSample ? 200 : few;
  const crew = machines(isSample ? 4 : 8);
  const patient = { timeout: Math.max(300_000, rounds * 20_000) };
  const ledgers = testLedgers();
  let place: Place;
  let store: StateStore;
  beforeEach(async () => {
    const cwd = await mkdtemp(join(tmpdir(), "contention-"));
    place = { module, name, cwd, location: join(cwd, "state"), world: join(cwd, "world.log") };
    store = open(place.location);
  });
  afterEach(async () => {
    await store.close?.();
    await rm(place.cwd, { recursive: true, maxRetries: 3 });
  });

  async function hold(workers: readonly WorkerOptions[], seed: number, key?: string): Promise<Contention> {
    place = { ...place, ...(key === undefined ? {} : { key }) };
    const contention = await contend({ place, store, ledgers, workers, rounds, random: randomFrom(seed) });
    const history = await readHistory(store, place, contention.ends);
    expect(violations(history)).toEqual({});
    expect(contention.through.filter((count) => count === 0)).toEqual([]);
    const seal = key === undefined ? {} : { seal: keyOfStage() };
    expect((await loadFrom(store, { keep: 1_000_000, ...seal })).contents.records.size).toBeGreaterThan(0);
    return contention;
  }

  describe(`${isSample ? "four" : "eight"} processes on one stage (${name}, seed ${SEED})`, () => {
    it(
      "never write in one place, stop when they are fenced, and get through, with clocks that are wrong by up to a day",
      patient,
      async ({ task }) => {
        const shifted = crew.map((worker, index) => ({
          ...worker,
          clockShift: DAY * ((2 * index) / (crew.length - 1) - 1),
        }));
        task.meta.note = described(await hold(shifted, SEED + 1));
      },
    );

    if (isSample) return;
    it(
      "never write in one place, stop when they are fenced, and get through, with clocks that are right, on a stage that has a key",
      patient,
      async ({ task }) => {
        task.meta.note = described(await hold(crew, SEED, KEYS[0]));
      },
    );
  });
}

function described({ through, faults, ends }: Contention): string {
  const runs = through.reduce((sum, count) => sum + count, 0);
  const fenced = ends.filter(({ stderr }) => stderr.includes("Another run has taken over")).length;
  return `${through.length} rounds, ${runs} runs got through, ${fenced} processes were fenced; ${JSON.stringify(faults)}`;
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
