/** The number of steps that the schedule and the order take: a step for each stage costs as much among many. */
import { describe, expect, test } from "vitest";
import { type Listed, ordered } from "../../../plugins/fleet/conductor/order.js";
import { Schedule, type ScheduleItem } from "../../../plugins/fleet/conductor/schedule.js";

const MANY = 100_000;

/** Runs a schedule on a clock of its own. Returns the number of times that it looked at its limits, per stage. */
function looks(count: number, keys: number): number {
  let seen = 0;
  const limits = {
    concurrency: 1,
    get rate() {
      seen++;
      return { max: 1, duration: 10 };
    },
  };
  const items = Array.from(
    { length: count },
    (_, index): ScheduleItem => ({ wave: 0, key: `k${index % keys}`, after: [] }),
  );
  const schedule = new Schedule(items, 1, limits);
  schedule.beginWave();
  let now = 0;
  for (let ended = 0; ended < count; now += 0.001) {
    const index = schedule.take(now);
    if (index === undefined) {
      now += schedule.restsFor(now) ?? 0;
      continue;
    }
    schedule.end(index, true);
    ended++;
  }
  return seen / count;
}

describe("many stages", () => {
  test("five thousand keys with a rate cost no more for each stage than a hundred keys", () => {
    expect(looks(10_000, 5_000)).toBeLessThan(4);
    expect(looks(10_000, 100)).toBeLessThan(4);
  });

  const chain = (refs: (index: number) => readonly string[], after: (index: number) => readonly string[] = () => []) =>
    Array.from({ length: MANY }, (_, index): Listed => {
      return { stage: `s${index}`, wave: 0, key: "", refs: refs(index), after: after(index) };
    });

  // With a search for each reference, these take minutes, and the test is ended.
  test("are put in order, each of which read the one before it, and the last all others", () => {
    const listed = chain((index) => (index > 0 ? [`s${index - 1}`] : []));
    const names = listed.slice(0, -1).map(({ stage }) => stage);
    const last = { stage: "last", wave: 0, key: "", refs: names, after: names };
    const items = ordered([...listed, last], false);
    expect(items[MANY - 1]?.after).toEqual([MANY - 2]);
    expect(items[MANY]?.after).toHaveLength(MANY - 1);
  });

  test("are put in order, which now wait for each other in the opposite order", () => {
    const listed = chain(
      (index) => [`s${index + 1}`],
      (index) => (index > 0 ? [`s${index - 1}`] : []),
    );
    expect(ordered(listed, false)[MANY - 1]?.after).toEqual([MANY - 2]);
  });
});
