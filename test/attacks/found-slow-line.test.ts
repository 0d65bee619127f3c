import { expect, test } from "vitest";
import { LINE_START } from "../../core/state/checkpoint/digested-text.js";
import { keys, newestIn } from "./forging.ts";
import { sealedStage } from "./stages.ts";

/** `hasLostItsBreak` (segment.ts) hashes the whole rest once for each place where a line could begin: of 4 MB that is an hour. */
test("a line that was not written to its end is read in a time that grows with its length, whatever stands in it", async () => {
  const short = await shortest(4_000);
  expect(await shortest(16_000)).toBeLessThan(6 * short + 100);
});

/** Milliseconds, of three times: others are at work on the machine. */
async function shortest(count: number): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time++) {
    const { stage, store, program } = await sealedStage();
    const key = await newestIn(store, keys.entries);
    const next = keys.entry(Number(key.slice(-12)) + 1);
    await store.set(next, `${LINE_START}${"0".repeat(64)}",${LINE_START.repeat(count)}`);
    const began = performance.now();
    await stage.up(program).catch(() => {});
    times.push(performance.now() - began);
  }
  return Math.min(...times);
}
