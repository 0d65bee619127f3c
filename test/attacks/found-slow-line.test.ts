import crypto from "node:crypto";
import { expect, onTestFinished, test, vi } from "vitest";
import { LINE_START } from "../../core/state/checkpoint/digested-text.js";
import { keys, newestIn } from "./forging.ts";
import { sealedStage } from "./stages.ts";

/** `hasLostItsBreak` (segment.ts) began a hash for each place where a line could begin: 1.5 s for 1 MB. */
test.each([
  ["beginnings of lines", LINE_START],
  ["ends and beginnings of lines", `"}} ${LINE_START}`],
])("a line that was not written to its end is hashed once, however many %s stand in it", async (_what, piece) => {
  const hashed = countHashed();
  const short = await hashedFor(piece.repeat(4_000), hashed);
  expect(await hashedFor(piece.repeat(16_000), hashed)).toBeLessThan(short + 12_001 * piece.length);
});

/** Number of characters and bytes that a run hashes when it meets such a line. */
async function hashedFor(rest: string, hashed: () => number): Promise<number> {
  const { stage, store, program } = await sealedStage();
  const key = await newestIn(store, keys.entries);
  const next = keys.entry(Number(key.slice(-12)) + 1);
  await store.set(next, `${LINE_START}${"0".repeat(64)}",${rest}`);
  const before = hashed();
  await stage.up(program).catch(() => {});
  return hashed() - before;
}

/** Counts until the test ends; the returned function gives the count so far. */
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
