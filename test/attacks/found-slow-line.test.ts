import { expect, test } from "vitest";
import { LINE_START } from "../../core/state/checkpoint/digested-text.js";
import { keys, newestIn } from "./forging.ts";
import { sealedStage } from "./stages.ts";

/** `hasLostItsBreak` (segment.ts) hashes the whole rest once for each place where a line could begin: of 4 MB that is an hour. */
test("a line that was not written to its end is read in a time that grows with its length, whatever stands in it", async () => {
  const times: number[] = [];
  for (const count of [4_000, 16_000]) {
    const { stage, store, program } = await sealedStage();
    const key = await newestIn(store, keys.entries);
    const next = keys.entry(Number(key.slice(-12)) + 1);
    await store.set(next, `${LINE_START}${"0".repeat(64)}",${LINE_START.repeat(count)}`);
    const began = process.cpuUsage();
    await stage.up(program).catch(() => {});
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
  }
  const [short = 0, long = 0] = times;
  expect(long).toBeLessThan(6 * short + 100);
});
