import { describe, expect, test } from "vitest";
import { SAMPLE_OF_MOVES, SAMPLE_OF_USERS, seedsFrom } from "../seeds.ts";
import { hunt } from "./hunt.ts";
import { moveDefects } from "./moves.ts";
import { userDefects } from "./users.ts";

/** Number of histories that are searched for a new member of the sample, if the sample does not find the defect. */
const MOST = 2_000;
const timeout = 3_600_000;

describe.each([
  { world: "users", sample: SAMPLE_OF_USERS, defects: userDefects },
  { world: "moves", sample: SAMPLE_OF_MOVES, defects: moveDefects },
] as const)("a sample of the histories of the world of $world", ({ world, sample, defects }) => {
  test("find nothing if nothing was planted", { timeout }, async () => {
    expect(await hunt(undefined, sample, world)).toBeUndefined();
  });

  test.each(defects)("find a defect: $name", { timeout }, async (defect) => {
    if (await hunt(defect, sample, world)) return;
    const later = await hunt(defect, seedsFrom(1, MOST), world);
    expect.fail(`none of them goes wrong, but this one: ${later?.seed}`);
  });
});
