/** The speed of everything in one run of the simulation: reality is one of the possible schedules. */
import { Random } from "../../../plugins/testing/simulation/random.js";

export interface Schedule {
  /** Latencies of the store; appends are made in one piece, as in a file. */
  readonly store: Random;
  /** Milliseconds for which the machine does something else when a process passes one of its points, or waits. */
  busy(): number;
  /** Milliseconds that a process waits until the machine does something else; undefined if it never does. */
  readonly lull?: () => number;
  /** Milliseconds until a value is on the disk. */
  disk(): number;
}

class Latencies extends Random {
  readonly #share: number;

  /** @param share part of the store's maximum latency that this one uses; 0: as fast as possible, each time */
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

/** A machine without other work, and a store that answers as fast as possible, each time. */
export function steady(): Schedule {
  return { store: new Latencies("steady", 0), busy: () => 0, disk: () => 0 };
}

/**
 * The journal counts a wait of more than a millisecond as slow. One of more than a few lasts beyond a heartbeat. One
 * that is longer than a result waits for others makes it too late to join them.
 */
const BUSY = [0, 0, 0, 2, 12, 40] as const;

/** A few times as long as a request takes. */
const LULL = 30;

/** Parts of the store's maximum latency: it matters whether heartbeats are faster than requests, or slower. */
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

/** Makes a new one each time, because a run uses it up. */
export type MakeSchedule = () => Schedule;

/** The steady one first. */
export function* schedules(count: number): Iterable<MakeSchedule> {
  yield steady;
  for (let number = 1; number < count; number++) yield () => schedule(number);
}
