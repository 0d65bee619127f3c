/** Runs whose requests fail, get lost, come late or come twice, and the runs that recover from it. */
import { rm } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { EngineError, RunFailedError } from "../../core/base/index.js";
import { isLong } from "../helpers/checks/sampling.js";
import { PROTOCOL_OF, type RemoteName, remoteStore, serverUrl } from "../helpers/stores/remote-stores.js";
import { contentAfter, damageIn, flawsOf, newFolder, type Recovery } from "./aftermath.js";
import { FileWorld } from "./file-world.js";
import type { Places } from "./places/places.js";
import { keyPrefixOf } from "./places/remote.js";
import type { Fault } from "./proxy/fault.js";
import { seededFaults } from "./proxy/plans.js";
import { type FaultyProxy, startProxy } from "./proxy/proxy.js";
import { run } from "./run.js";
import { type Scenario, scenarios } from "./scenarios.js";

const SCHEDULES = isLong ? 2_000 : 30;
const SEED = Number(process.env.SEED ?? 1);
const RATE = 0.3;
/** The runs wait more than they work. */
const AT_ONCE = 4;

/** Redis and PostgreSQL have no error for a passing fault of the server itself. */
const SERVER_ERRORS: readonly Fault[] = [{ kind: "error" }, { kind: "error", forwarded: true }];

/** @param limit of a request: some are held for longer, and come late. In milliseconds */
const faultsAt = (limit: number): readonly Fault[] => [
  { kind: "slow-down" },
  { kind: "conflict" },
  { kind: "conflict", forwarded: true },
  { kind: "timeout" },
  { kind: "timeout", forwarded: true },
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "truncated" },
  { kind: "delayed", side: "request", by: limit + 100 },
  { kind: "delayed", side: "reply", by: limit + 100 },
  { kind: "duplicated" },
  { kind: "late-duplicate", after: 30 },
  { kind: "late-duplicate", after: 300 },
];

/** Patient: enough time for every request to succeed in the end. Hasty: so little that many runs give up. */
const PATIENT = { requestTimeout: 500, retryTimeout: 90_000 };
const HASTY = { requestTimeout: 150, retryTimeout: 150 };

/** The message of a run that another one overtook. */
const MOVED = "that this run had read";

/** Error codes of a run whose store gives up. */
const EXPECTED = ["STORE_FAILED", "ABORTED"];

const plain = scenarios.filter(({ before }) => before.every((step) => typeof step === "string"));

interface Tally {
  runs: number;
  gaveUp: number;
  faults: number;
}

export function networkSuite(name: RemoteName, places: Places): void {
  describe(`${name}: ${Math.round(RATE * 100)} % of all requests meet with a fault`, () => {
    test("and nothing is lost, made twice, or locked", { timeout: SCHEDULES * 5_000 }, async ({ task }) => {
      const tally: Tally = { runs: 0, gaveUp: 0, faults: 0 };
      const seeds = Array.from({ length: SCHEDULES }, (_, index) => SEED * 100_000 + index);
      const flaws: string[] = [];
      const work = async (): Promise<void> => {
        for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
          const found = await inTime(scheduled(name, places, seed, tally));
          flaws.push(...found.map((flaw) => `seed ${seed}: ${flaw}`));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      task.meta.note = `${name}: ${tally.runs} schedules, ${tally.faults} faults, ${tally.gaveUp} runs gave up`;
      expect(flaws).toEqual([]);
      expect(tally.gaveUp).toBeGreaterThan(SCHEDULES * 0.1);
      // On a busy machine each hasty run gives up at its first request; then most faults hit the patient ones.
      expect(tally.faults).toBeGreaterThan(SCHEDULES * 2);
    });
  });
}

/** Far longer than any of its waits: a run that exceeds it hangs. */
const ENDLESS = 180_000;

async function inTime(work: Promise<readonly string[]>): Promise<readonly string[]> {
  const limit = new AbortController();
  const late = setTimeout(ENDLESS, [`is not over after ${ENDLESS / 1_000} s`], { signal: limit.signal });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => {});
    limit.abort();
  }
}

/** The faults after a run with this schedule, and after the runs that follow it. */
async function scheduled(name: RemoteName, places: Places, seed: number, tally: Tally): Promise<readonly string[]> {
  const scenario = plain[seed % plain.length];
  if (!scenario) throw new Error("There is no scenario.");
  const folder = await newFolder();
  const isHasty = seed % 2 === 1;
  const faults = faultsAt((isHasty ? HASTY : PATIENT).requestTimeout);
  const plan = seededFaults(`${name} ${seed}`, RATE, name === "s3" ? [...SERVER_ERRORS, ...faults] : faults);
  const proxy = await startProxy({ target: serverUrl(name), protocol: PROTOCOL_OF[name], plan });
  try {
    for (const program of scenario.before) await runs(places, folder, { ...scenario, failing: {} }, `${program}`);
    const errors = await faultyRun(name, folder, scenario, proxy, isHasty);
    const gaveUp = errors.some((error) => EXPECTED.includes(codeOf(error)));
    tally.runs++;
    if (gaveUp) tally.gaveUp++;
    const flaws = unexpected(errors, isHasty, scenario);
    flaws.push(...(await damageIn(places, folder, scenario.killed)));
    const program = scenario.next[seed % scenario.next.length] ?? "nothing";
    const expected = await contentAfter(places, program);
    const recovery = { places, folder, program, settings: scenario.settings, expected };
    flaws.push(...(await flawsAfter(recovery, proxy)));
    // Late requests have arrived by now, and must not matter.
    await proxy.settled();
    flaws.push(...(await flawsOf({ ...recovery, isOver: true })).map((flaw) => `in the end: ${flaw}`));
    tally.faults += Object.values(proxy.counts.faults).reduce((sum, count) => sum + count, 0);
    return flaws.map((flaw) => `${scenario.title}, then ${program}: ${flaw}`);
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true });
  }
}

/**
 * A request that was in flight when a run gave up may arrive at any time. If it arrives while the next run is working,
 * that run is told to run again. If it arrives after a run without work, it may open a session, which the next run
 * ends.
 */
async function flawsAfter(recovery: Recovery, proxy: FaultyProxy): Promise<readonly string[]> {
  const isComing = proxy.isBusy;
  const flaws = await flawsOf(recovery);
  if (!isComing && !flaws.some((flaw) => flaw.includes(MOVED))) return flaws;
  await proxy.settled();
  return flawsOf(recovery);
}

async function faultyRun(
  name: RemoteName,
  folder: string,
  scenario: Scenario,
  proxy: FaultyProxy,
  isHasty: boolean,
): Promise<readonly unknown[]> {
  const { killed: program, settings, failing, slow } = scenario;
  const way = { url: proxy.url, ...(isHasty ? HASTY : PATIENT) };
  const store = remoteStore(name, keyPrefixOf(folder), way);
  const world = new FileWorld(folder, { failing, slow });
  const errors = await run({ folder, store, world, program, settings });
  await store.close?.();
  return errors;
}

async function runs(places: Places, folder: string, { settings }: Scenario, program: string): Promise<void> {
  const store = places.open(folder);
  const [error] = await run({ folder, store, world: new FileWorld(folder), program, settings });
  await store.close?.();
  if (error) throw error;
}

/** A handler may fail as planned, a request if the store was hasty, and nothing else. */
function unexpected(errors: readonly unknown[], isHasty: boolean, { failing }: Scenario): string[] {
  return errors.flatMap((error) => {
    const code = codeOf(error);
    const isTold = code === "HANDLER_FAILED" && failing !== undefined;
    return isTold || (isHasty && EXPECTED.includes(code)) ? [] : [`failed with ${code}: ${String(error)}`];
  });
}

function codeOf(error: unknown): string {
  const cause = error instanceof RunFailedError ? error.errors[0] : error;
  return cause instanceof EngineError ? cause.code : String(cause);
}
