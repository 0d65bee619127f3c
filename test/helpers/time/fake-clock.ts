import type { Clock } from "../../../core/base/index.js";

export interface FakeClock extends Clock {
  /** How long each sleep was to last. */
  readonly sleeps: number[];
  /** Called at the end of each sleep, with the time that it has become; may let more time pass. */
  onWake: (now: number) => Promise<void> | void;
  /** Lets time pass without anybody noticing, as when a request takes long or the machine sleeps. */
  pass(milliseconds: number): void;
}

/** A clock whose sleeps end at once, when its time has gone on by as much. */
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
