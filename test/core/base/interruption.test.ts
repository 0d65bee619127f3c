import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { Interruption } from "../../../core/engine/start.js";

test("runs that share a signal add one listener to it, and the last one that ends takes it away", () => {
  const outer = new AbortController();
  const aborted: number[] = [];
  const runs = Array.from({ length: 20 }, (_, index) => {
    const run = new Interruption();
    run.follow(outer.signal, () => void aborted.push(index));
    return run;
  });
  const listeners = (): number => getEventListeners(outer.signal, "abort").length;
  expect(listeners()).toBe(1);
  for (const run of runs.slice(1)) run.unfollow();
  expect(listeners()).toBe(1);
  runs[0]?.unfollow();
  expect(listeners()).toBe(0);
  runs[3]?.follow(outer.signal, () => void aborted.push(3));
  runs[5]?.follow(outer.signal, () => void aborted.push(5));
  outer.abort();
  expect(aborted).toEqual([3, 5]);
});
