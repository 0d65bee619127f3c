import crypto from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { LINE_START } from "../../core/state/checkpoint/digested-text.js";
import { keys, newestIn } from "./forging.ts";
import { sealedStage } from "./stages.ts";

/** `hasLostItsBreak` (segment.ts) hashed the whole rest once for each place where a line could begin: of 4 MB that is an hour. */
test("of a line that was not written to its end as much is hashed as grows with its length, whatever stands in it", async () => {
  const hashed = countHashed();
  const short = await hashedFor(4_000, hashed);
  // The line itself at least.
  expect(short).toBeGreaterThan(4_000 * LINE_START.length);
  expect(await hashedFor(16_000, hashed)).toBeLessThan(4.5 * short);
});

/** Characters and bytes that a run hashes which meets such a line, with so many places where another could begin. */
async function hashedFor(count: number, hashed: () => number): Promise<number> {
  const { stage, store, program } = await sealedStage();
  const key = await newestIn(store, keys.entries);
  const next = keys.entry(Number(key.slice(-12)) + 1);
  await store.set(next, `${LINE_START}${"0".repeat(64)}",${LINE_START.repeat(count)}`);
  const before = hashed();
  await stage.up(program).catch(() => {});
  return hashed() - before;
}

/** Counts until the test ends; what it returns says how much it is so far. */
function countHashed(): () => number {
  const updates = vi.spyOn(crypto.createHash("sha256").constructor.prototype, "update");
  const hashes = vi.spyOn(crypto, "hash");
  onTestFinished(() => {
    updates.mockRestore();
    hashes.mockRestore();
  });
  return () => {
    const texts = [...updates.mock.calls.map(([text]) => text), ...hashes.mock.calls.map(([, text]) => text)];
    return texts.reduce((sum: number, text) => sum + (text as string | Buffer).length, 0);
  };
}
