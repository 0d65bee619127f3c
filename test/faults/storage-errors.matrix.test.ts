/**
 * Every scenario on a disk that fails, at each of its calls or at many of them; and faults that such tests would
 * notice.
 */
import { describe, expect, it } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { failEach, failsForGood, failsOnce, patient, silent, wrong } from "./storage-errors.js";
import { SCENARIOS } from "./storage-scenarios.js";

const OTHERS = ["ENOSPC", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);
/** One of so many calls fails; in long runs each. */
const every = (count: number): number => (isLong ? 1 : count);

describe.each(scenarios)("a run whose disk fails once (%s)", (scenario) => {
  const isMain = scenario === "first" || scenario === "later";
  failsOnce(scenario, ["EIO"], every(isMain ? 2 : 5));
  if (isLong || isMain) failsOnce(scenario, OTHERS, every(6));
});

const lasting = isLong ? scenarios : ["later", "laterEntries"];
describe.each(lasting)("a run whose disk takes nothing more from some call on (%s)", (scenario) => {
  failsForGood(scenario, ["ENOSPC", "EROFS"], every(5));
});

describe("faults that these tests would notice", () => {
  it("a store that swallows errors of the disk: they are not reported", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("a store that keeps swallowing: results are lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
