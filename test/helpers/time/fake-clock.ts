import type { Clock } from "../../../core/base/index.js";

export interface FakeClock extends Clock {
  /** The requested length of each sleep. */
  readonly sleeps: number[];
  /** Called at the end of each sleep, with the present time; may let more time pass. */
  onWake: (now: number) => Promise<void> | void;
  /** Lets time pass without waking a sleep, as when a request takes long or the machine sleeps. */
  pass(milliseconds: number): void;
}

/** A clock whose sleeps end at once, and advance its time by their length. */
export function fakeClock(): FakeClock {
  let time = 1_000;
  const clock: FakeClock = {
    sleeps: [],
    onWake: () => {},
    now: () => time,
    pass(milliseconds) {
      time += milliseconds;
    },
    async sleep(milliseconds, signal) {
      signal.throwIfAborted();
      clock.sleeps.push(milliseconds);
      time += milliseconds;
      await clock.onWake(time);
      signal.throwIfAborted();
    },
  };
  return clock;
}
