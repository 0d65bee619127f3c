/** Runs each night (LONG=1): `npm test` plays 150 of the first kind and 100 of the second. */
import { describe, expect, test } from "vitest";
import { LASTING, seedOfTheDay, seedsFrom } from "./seeds.ts";
import { failures } from "./suite.ts";

const COUNT = 20_000;
const timeout = 3_600_000;

describe("a stage, in many more histories", () => {
  test("loses nothing and comes to what is declared, in those that are the same for ever", { timeout }, async () => {
    expect(await failures(seedsFrom(1, COUNT).filter((seed) => !LASTING.includes(seed)))).toEqual([]);
  });

  test("loses nothing and comes to what is declared, in those of the day", { timeout }, async () => {
    expect(await failures(seedsFrom(seedOfTheDay(), COUNT))).toEqual([]);
  });
});
