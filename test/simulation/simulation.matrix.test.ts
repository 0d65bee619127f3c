import { describe, expect, test } from "vitest";
import { SAMPLE, seedOfTheDay, seedsFrom } from "./seeds.ts";
import { failures } from "./suite.ts";

const isLong = process.env.LONG !== undefined;
const count = isLong ? 50_000 : 500;
const timeout = isLong ? 3_600_000 : 600_000;

describe("a stage, in many more histories", () => {
  test("loses nothing and comes to what is declared, in those that are the same for ever", { timeout }, async () => {
    expect(await failures(seedsFrom(1, count).filter((seed) => !SAMPLE.includes(seed)))).toEqual([]);
  });

  test("loses nothing and comes to what is declared, in those of the day", { timeout }, async () => {
    expect(await failures(seedsFrom(seedOfTheDay(), count))).toEqual([]);
  });
});
