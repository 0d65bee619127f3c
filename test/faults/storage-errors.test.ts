/** A disk that fails, in one scenario, and what such tests would notice; the matrix has the others. */
import { describe, expect, it } from "vitest";
import { failEach, failsForGood, failsOnce, patient, silent, wrong } from "./storage-errors.js";
import { SAMPLE } from "./storage-scenarios.js";

describe(`a run whose disk fails once (${SAMPLE})`, () => failsOnce(SAMPLE, ["EIO"]));
describe(`a run whose disk takes nothing more from some call on (${SAMPLE})`, () => failsForGood(SAMPLE, ["ENOSPC"]));

describe("what these tests would notice", () => {
  it("is a store that swallows what the disk says: nobody is told", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("is a store that goes on swallowing: what was done is lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
