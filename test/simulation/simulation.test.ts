/** A sample of the histories that the matrix has. */
import { describe, expect, test } from "vitest";
import { live } from "./live.ts";
import { historyOf } from "./random-history.ts";
import { SAMPLE, seedOfTheDay, seedsFrom } from "./seeds.ts";
import { failures } from "./suite.ts";

const timeout = 300_000;

describe("a stage, whatever its program becomes, whoever deploys it, and whatever happens meanwhile", () => {
  test("loses nothing and comes to what is declared, in histories that are the same for ever", {
    timeout,
  }, async () => {
    expect(await failures(SAMPLE)).toEqual([]);
  });

  test("loses nothing and comes to what is declared, in a few histories of the day", { timeout }, async () => {
    expect(await failures(seedsFrom(seedOfTheDay(), 50))).toEqual([]);
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
