/** Compares the processor time of two pieces of work in turns, so that the machine's speed and load cancel out. */
import { existsSync, readFileSync } from "node:fs";

/** Milliseconds: the system counts a thread's time in steps of up to four. */
const LEAST = 20;
const TURNS = 5;
const COUNTED = "/proc/thread-self/schedstat";
const isCounted = existsSync(COUNTED);

/**
 * The ratio of the processor time of `work` to that of `steady`. The minimum of several turns counts for each: a
 * disturbance only adds. Compare it with a wide margin: because of caches, the compiler and garbage collection, the
 * same work may take two or three times as long.
 */
export async function costRatio(work: () => unknown, steady: () => unknown): Promise<number> {
  const [works, steadies] = [await repeats(work), await repeats(steady)];
  let [least, leastSteady] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < TURNS; turn++) {
    leastSteady = Math.min(leastSteady, (await costOf(steady, steadies)) / steadies);
    least = Math.min(least, (await costOf(work, works)) / works);
  }
  return least / leastSteady;
}

/** The number of repetitions that makes a measurement long enough, also once the code is compiled. */
async function repeats(act: () => unknown): Promise<number> {
  const isLong = async (times: number): Promise<boolean> => (await costOf(act, times)) >= LEAST;
  let times = 1;
  while (!((await isLong(times)) && (await isLong(times)))) times *= 2;
  return times;
}

async function costOf(act: () => unknown, times: number): Promise<number> {
  const before = processorTime();
  for (let time = 0; time < times; time++) await act();
  return processorTime() - before;
}

/** Milliseconds for which this thread has been running; those of the whole process if the system does not count it. */
function processorTime(): number {
  if (isCounted) return Number(readFileSync(COUNTED, "latin1").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
