/** Rounds of a contention: every worker has one run to finish, while some are killed, stopped and taken over. */
import { setTimeout as passed } from "node:timers/promises";
import { isEngineError } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { underKey } from "../helpers/apps/under-key.js";
import { elsewhere, type Ledgers } from "../helpers/stores/ledgers.js";
import { fakeClock } from "../helpers/time/fake-clock.js";
import { dismiss, type Ended, type Place, startWorker, type Worker, type WorkerOptions } from "./contention-crew.js";
import { STEPS, TTL } from "./contention-messages.js";

export interface ContentionOptions {
  readonly place: Place;
  /** The parent's own view of the same data. */
  readonly store: StateStore;
  readonly ledgers: Ledgers;
  /** Options of each worker. */
  readonly workers: readonly WorkerOptions[];
  readonly rounds: number;
  /** A number from 0 to 1, not 1. */
  readonly random: () => number;
}

export interface Contention {
  readonly ends: readonly Ended[];
  /** Number of successful runs, by round. */
  readonly through: readonly number[];
  /** Number of faults of each kind. */
  readonly faults: Readonly<Record<Fault, number>>;
}

const FAULTS = ["kill", "stop", "take over", "kill another", "stop another"] as const;
type Fault = (typeof FAULTS)[number];

export async function contend(options: ContentionOptions): Promise<Contention> {
  const { place, rounds } = options;
  let crew = await Promise.all(options.workers.map((worker) => startWorker(place, worker)));
  const everybody = new Set(crew);
  const through: number[] = [];
  const faults = Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>;
  try {
    for (let round = 0; round < rounds; round++) {
      through.push(await oneRound(options, crew, round, faults));
      crew = await Promise.all(crew.map((worker) => (worker.end ? startWorker(place, worker.options) : worker)));
      for (const worker of crew) everybody.add(worker);
    }
    return { ends: await dismiss(everybody), through, faults };
  } finally {
    for (const worker of everybody) if (!worker.end) worker.signal("SIGKILL");
  }
}

async function oneRound(
  options: ContentionOptions,
  crew: readonly Worker[],
  round: number,
  faults: Record<Fault, number>,
): Promise<number> {
  const { random } = options;
  const below = (limit: number): number => Math.floor(random() * limit);
  const due = Array.from({ length: 1 + below(3) }, () => ({
    at: below(crew.length * STEPS),
    fault: below(FAULTS.length),
  }));
  const underWay: Promise<void>[] = [];
  let started = 0;
  const meet = (worker: Worker): void => {
    const now = started++;
    for (const { at, fault } of due) {
      const name = FAULTS[fault];
      if (at !== now || name === undefined) continue;
      faults[name]++;
      const other = crew.filter((one) => one !== worker && !one.end)[below(crew.length - 1)] ?? worker;
      underWay.push(act(options, name, name.endsWith("another") ? other : worker));
    }
  };
  const deaf = crew.map((worker) => worker.hear(({ type }) => type === "started" && meet(worker)));
  const ends = await Promise.all(crew.map((worker) => worker.run(round)));
  for (const stop of deaf) stop();
  await Promise.all(underWay);
  return ends.filter(Boolean).length;
}

async function act(options: ContentionOptions, fault: Fault, target: Worker): Promise<void> {
  if (fault === "take over") return takeOver(options);
  if (fault.startsWith("kill")) return target.signal("SIGKILL");
  target.signal("SIGSTOP");
  await passed(TTL * (2 + options.random()));
  target.signal("SIGCONT");
}

/** A session on another machine, whose clock runs so fast that every owner seems silent. */
async function takeOver({ ledgers, store, place }: ContentionOptions): Promise<void> {
  try {
    const key = place.key === undefined ? {} : underKey();
    const settings = { here: elsewhere(), clock: fakeClock(), keep: 1_000_000, histories: 0, ...key };
    const run = await ledgers.run(store, settings);
    try {
      await run.put("theirs");
      await run.close();
    } finally {
      // After a takeover, its heartbeats would continue in a folder that is removed by then.
      await run.ledger.letGo();
    }
  } catch (error) {
    // Another session renewed its lease or took over: both are allowed here.
    if (!["STATE_LOCKED", "STATE_MOVED", "FENCED"].some((code) => isEngineError(error) && error.code === code))
      throw error;
  }
}
