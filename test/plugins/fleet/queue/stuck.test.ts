import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { replaceWhenStuck } from "../../../../plugins/fleet/queue/stuck.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Look {
  /** Undefined while a job runs. */
  readonly taken: number | undefined;
  /** An error: the queue refuses to answer; undefined: it never answers. */
  readonly waiting: number | Error | undefined;
}

/** Returns how often the worker was replaced after these looks. */
async function replacedAfter(looks: readonly Look[]): Promise<number> {
  let at = -1;
  let replaced = 0;
  const over = new AbortController();
  const watching = replaceWhenStuck(
    {
      waiting: () => {
        const waiting = looks[at]?.waiting;
        if (waiting instanceof Error) return Promise.reject(waiting);
        return waiting === undefined ? new Promise(() => {}) : Promise.resolve(waiting);
      },
      taken: () => looks[at]?.taken,
      replace: async () => void replaced++,
    },
    over.signal,
  );
  for (at = 0; at < looks.length; at++)
    await vi.advanceTimersByTimeAsync(looks[at]?.waiting === undefined ? 10_000 : 5_000);
  over.abort();
  await watching;
  return replaced;
}

test.each<[string, readonly Look[], number]>([
  ["is replaced if jobs wait at two looks, and it has taken none", [look(3, 1), look(3, 9)], 1],
  ["is replaced again if the new one takes none either", [look(3, 1), look(3, 1), look(3, 1)], 2],
  ["stays if it took jobs in between", [look(3, 1), look(4, 1), look(5, 1)], 0],
  ["stays while it runs jobs", [look(undefined, 1), look(undefined, 1), look(undefined, 1)], 0],
  ["stays if it ran a job in between", [look(3, 1), look(undefined, 1), look(3, 1)], 0],
  ["stays if no job waits", [look(3, 0), look(3, 0), look(3, 0)], 0],
  ["stays if the jobs have just been added", [look(3, 0), look(3, 7), look(10, 0)], 0],
  ["stays if the queue refuses to answer", [look(3, new Error("lost")), look(3, new Error("lost"))], 0],
  ["stays if the queue does not answer", [look(3, undefined), look(3, undefined)], 0],
])("a worker %s", async (_, looks, times) => {
  expect(await replacedAfter(looks)).toBe(times);
});

function look(taken: Look["taken"], waiting: Look["waiting"]): Look {
  return { taken, waiting };
}
