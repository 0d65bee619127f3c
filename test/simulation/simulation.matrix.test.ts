/** Runs each night (LONG=1): `npm test` plays a sample of the first of each kind. */
import { describe, expect, test } from "vitest";
import { SAMPLE, SAMPLE_OF_MOVES, SAMPLE_OF_USERS, seedOfTheDay, seedsFrom } from "./seeds.ts";
import { failures } from "./suite.ts";

const COUNT = 20_000;
const timeout = 3_600_000;

describe.each([
  { world: "processes", sample: SAMPLE },
  { world: "users", sample: SAMPLE_OF_USERS },
  { world: "moves", sample: SAMPLE_OF_MOVES },
] as const)("a stage in the world of $world, in many more histories", ({ world, sample }) => {
  test("loses nothing and converges on its declarations, in those that are the same for ever", {
    timeout,
  }, async () => {
    expect(
      await failures(
        seedsFrom(1, COUNT).filter((seed) => !sample.includes(seed)),
        world,
      ),
    ).toEqual([]);
  });

  test("loses nothing and converges on its declarations, in those of the day", { timeout }, async () => {
    expect(await failures(seedsFrom(seedOfTheDay(), COUNT), world)).toEqual([]);
  });
});
