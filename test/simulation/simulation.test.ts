import { describe, expect, test } from "vitest";
import { live } from "./live.ts";
import { historyOf } from "./random-history.ts";
import { failureOf } from "./report.ts";

const isLong = process.env.LONG !== undefined;
const count = isLong ? 50_000 : 1_000;

/** Another one each day, so that many histories are seen in time; the same one all day. */
function seedOfTheDay(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) * 10_000;
}

async function failures(first: number, histories: number): Promise<string[]> {
  const failed: string[] = [];
  for (let seed = first; seed < first + histories; seed++) {
    const lived = await live(historyOf(seed));
    if (lived.problems.length > 0) failed.push(failureOf(seed, lived));
  }
  return failed;
}

const timeout = isLong ? 3_600_000 : 300_000;

describe("a stage, whatever its program becomes, whoever deploys it, and whatever happens meanwhile", () => {
  test("loses nothing and comes to what is declared, in histories that are the same for ever", {
    timeout,
  }, async () => {
    expect(await failures(1, count)).toEqual([]);
  });

  test("loses nothing and comes to what is declared, in histories of the day", { timeout }, async () => {
    expect(await failures(seedOfTheDay(), count)).toEqual([]);
  });
});

describe("a history", () => {
  test("is the same to the byte whenever it is lived through", async () => {
    for (const seed of [3, 76, 133, 260, 329, 2588]) {
      const [one, other] = [await live(historyOf(seed)), await live(historyOf(seed))];
      expect(one.trace.length).toBeGreaterThan(3);
      expect(other.trace).toEqual(one.trace);
    }
  });
});
