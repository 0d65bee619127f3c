/** Histories of a stage: its deployments, and the faults during them. Data that follows from a seed. */

import type { Random } from "../simulation/random.js";
import type { Blow } from "../simulation/simulated-process.js";

/** A process that deploys or destroys the stage. */
export interface Deployer {
  /** The name seeds its random numbers, so that they stay the same if other processes are left out. */
  readonly name: string;
  readonly does: "up" | "destroy";
  /** Number of the program's version, from 0. */
  readonly program: number;
  /** Number of the machine that it runs on, of three. */
  readonly machine: number;
  /** Milliseconds after the beginning of the chapter. */
  readonly delay: number;
  readonly concurrency: number;
  /** Milliseconds that it waits for another run to end. */
  readonly lockTimeout: number;
  /** Probability that a request or its answer is lost. */
  readonly lost: number;
  readonly blows: readonly Blow[];
}

/** Processes that begin at about the same time. */
export interface Chapter {
  readonly deployers: readonly Deployer[];
  /** Probability of each fault of a request to the store. */
  readonly storeFaults: number;
  /** Milliseconds from the beginning of the chapter during which the store does not answer. */
  readonly outage: readonly [from: number, length: number] | undefined;
}

export interface History {
  /** Number of the checkpoint settings. */
  readonly limits: number;
  readonly chapters: readonly Chapter[];
}

/** A deployer without faults. */
export const CALM: Omit<Deployer, "name" | "program" | "does"> = {
  machine: 0,
  delay: 0,
  concurrency: 64,
  lockTimeout: 600_000,
  lost: 0,
  blows: [],
};

/** @param lost the greatest probability that a request is lost */
export function randomHistory(random: Random, programs: number, lost: number): History {
  const chapters: Chapter[] = [];
  for (let program = 0; program < programs; program++) {
    for (let times = random.chance(0.3) ? 2 : 1; times > 0; times--) {
      chapters.push(randomChapter(random, { number: chapters.length + 1, program, lost }));
    }
  }
  return { limits: random.below(4), chapters };
}

interface ChapterSettings {
  readonly number: number;
  readonly program: number;
  readonly lost: number;
}

function randomChapter(random: Random, settings: ChapterSettings): Chapter {
  const count = random.chance(0.7) ? 1 : 2 + random.below(2);
  return {
    deployers: Array.from({ length: count }, (_, index) => randomDeployer(random, index, settings)),
    storeFaults: random.chance(0.7) ? 0 : pick(random, [0.01, 0.05]),
    outage: random.chance(0.9) ? undefined : [pick(random, [1, 50, 500]), pick(random, [5, 500, 30_000])],
  };
}

function randomDeployer(random: Random, index: number, { number, program, lost }: ChapterSettings): Deployer {
  return {
    name: `${number}${"abc"[index]}`,
    does: random.chance(0.05) ? "destroy" : "up",
    program: random.chance(0.9) ? program : Math.max(0, program - 1),
    machine: random.below(3),
    delay: pick(random, [0, 0, 1, 40, 400, 3_000]),
    concurrency: pick(random, [64, 64, 2, 1]),
    lockTimeout: pick(random, [0, 60_000, 600_000]),
    lost: random.chance(2 / 3) ? 0 : lost,
    blows: Array.from({ length: random.chance(0.4) ? 0 : 1 + random.below(2) }, () => randomBlow(random)),
  };
}

function randomBlow(random: Random): Blow {
  const chance = random.next();
  // Earlier blows are more likely: short runs wake only a few dozen times.
  const at = 1 + Math.floor(60 * random.next() ** 1.5);
  if (chance < 0.5) return { at, what: "kill" };
  if (chance < 0.7) return { at, what: "SIGINT" };
  return { at, what: { pause: pick(random, [500, 8_000, 25_000, 120_000]) } };
}

function pick<T>(random: Random, [first, ...rest]: readonly [T, ...T[]]): T {
  const at = random.below(rest.length + 1);
  return at === 0 ? first : (rest[at - 1] ?? first);
}

/** Describes the history for people, with a line for each process. */
export function linesOf({ chapters }: History): string[] {
  return chapters.flatMap(({ deployers, storeFaults, outage }) => [
    ...deployers.map((deployer) => lineOf(deployer, deployers.length > 1)),
    ...(storeFaults > 0
      ? [`    meanwhile the store loses or repeats requests, each with probability ${storeFaults}`]
      : []),
    ...(outage ? [`    meanwhile the store is away: after ${outage[0]} ms, for ${outage[1]} ms`] : []),
  ]);
}

function lineOf({ name, does, program, machine, delay, lost, blows }: Deployer, isAmongOthers: boolean): string {
  const parts = [
    does === "destroy" ? "a destroy" : `programs[${program}]`,
    ...(isAmongOthers ? [`on machine ${machine}`, `after ${delay} ms`] : []),
    ...blows.map(({ at, what }) => {
      if (typeof what === "object") return `paused for ${what.pause} ms at its step ${at}`;
      return `${what === "kill" ? "killed" : `sent ${what}`} at its step ${at}`;
    }),
    ...(lost > 0 ? [`its requests are lost with probability ${lost}`] : []),
  ];
  return `${name}: ${parts.join(", ")}`;
}
