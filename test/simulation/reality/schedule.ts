/** How fast everything is in one run of the simulation: reality is one of the ways in which that can be. */
import { Random } from "../../../plugins/testing/simulation/random.js";

export interface Schedule {
  /** How long the store takes; appends are made in one piece, as in a file. */
  readonly store: Random;
  /** How long the machine does something else when a process comes by one of its points, or waits, in milliseconds. */
  busy(): number;
  /** How long a process waits until the machine does something else, in milliseconds; undefined where it never does. */
  readonly lull?: () => number;
  /** How long a value takes until it is on the disk, in milliseconds. */
  disk(): number;
}

class Latencies extends Random {
  readonly #share: number;

  /** @param share of how long a store may take at most, how much of that this one does; 0: as fast as it can, each time */
  constructor(seed: string, share: number) {
    super(seed);
    this.#share = share;
  }

  override next(): number {
    return super.next() * this.#share;
  }

  override chance(probability: number): boolean {
    return probability > 0;
  }
}

/** A machine that has nothing else to do, and a store that answers as fast as it can, each time. */
export function steady(): Schedule {
  return { store: new Latencies("steady", 0), busy: () => 0, disk: () => 0 };
}

/**
 * What takes longer than a millisecond, the journal counts as slow; what takes longer than a few, a heart beats in; and what takes
 * longer than a result waits for company comes too late for that.
 */
const BUSY = [0, 0, 0, 2, 12, 40] as const;

/** A few times as long as a request takes. */
const LULL = 30;

/** Of how long a store may take: it makes a difference whether heartbeats are quicker than requests, or slower. */
const SHARES = [1, 1, 0.3, 0.03] as const;

const DISKS = [0, 0.5, 1, 2, 25] as const;

/** @param number from 1; the same one gives the same schedule */
function schedule(number: number): Schedule {
  const random = new Random(`busy ${number}`);
  const most = 1 + random.below(BUSY.length);
  const slowest = DISKS[random.below(DISKS.length)] ?? 0;
  return {
    store: new Latencies(`store ${number}`, SHARES[random.below(SHARES.length)] ?? 1),
    busy: () => BUSY[random.below(most)] ?? 0,
    ...(random.chance(0.5) ? { lull: () => random.between(1, LULL) } : {}),
    disk: () => random.between(slowest / 2, slowest),
  };
}

/** Makes it anew, for it is used up by a run. */
export type MakeSchedule = () => Schedule;

/** The steady one first. */
export function* schedules(count: number): Iterable<MakeSchedule> {
  yield steady;
  for (let number = 1; number < count; number++) yield () => schedule(number);
}
