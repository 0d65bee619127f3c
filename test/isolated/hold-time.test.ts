import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isSpent, withinHoldTime } from "../../plugins/telemetry/hold-time.js";
import { setSpentPatience } from "../helpers/time/hold-time.js";

const never = new Promise(() => {});
const done = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
  vi.useFakeTimers();
  setSpentPatience(0);
});
afterEach(() => void vi.useRealTimers());

/** Milliseconds that a caller waits in turn for each of some works. */
async function waitedFor(...works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times: number[] = [];
  const all = (async () => {
    for (const work of works) {
      const began = performance.now();
      await withinHoldTime(work());
      times.push(performance.now() - began);
    }
  })();
  await vi.runAllTimersAsync();
  await all;
  return times;
}

describe("the ends of runs are held up", () => {
  it("for 100 ms if there is no answer, and the next ones not at all", async () => {
    expect(
      await waitedFor(
        () => never,
        () => never,
        () => done(1),
      ),
    ).toEqual([100, 0, 0]);
    expect(isSpent()).toBe(true);
  });

  it("for 100 ms in all where answers take their time", async () => {
    expect(
      await waitedFor(
        () => done(40),
        () => done(40),
        () => done(40),
        () => done(40),
      ),
    ).toEqual([40, 40, 20, 0]);
  });

  it("until a failing work fails", async () => {
    const failing = (): Promise<void> => done(30).then(() => Promise.reject(new Error("no")));
    expect(await waitedFor(failing, () => never)).toEqual([30, 70]);
  });
});
