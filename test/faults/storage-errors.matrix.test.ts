/** Every scenario on a disk that fails, at each of its calls or at many of them; and what such tests would notice. */
import { describe, expect, it } from "vitest";
import { failEach, failsForGood, failsOnce, patient, silent, wrong } from "./storage-errors.js";
import { SCENARIOS } from "./storage-scenarios.js";

const isLong = process.env.LONG !== undefined;
const OTHERS = ["ENOSPC", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);

describe.each(scenarios)("a run whose disk fails once (%s)", (scenario) => {
  const isWhole = isLong || scenario === "first" || scenario === "later";
  failsOnce(scenario, ["EIO"], isWhole ? 1 : 3);
  if (isWhole) failsOnce(scenario, OTHERS, isLong ? 1 : 4);
});

const lasting = isLong ? scenarios : ["later", "laterEntries"];
describe.each(lasting)("a run whose disk takes nothing more from some call on (%s)", (scenario) => {
  failsForGood(scenario, ["ENOSPC", "EROFS"], isLong ? 1 : 3);
});

describe("what these tests would notice", () => {
  it("is a store that swallows what the disk says: nobody is told", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("is a store that goes on swallowing: what was done is lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
