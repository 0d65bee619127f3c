/** Every scenario on a disk that fails, at each of its calls or at many of them; and what such tests would notice. */
import { describe, expect, it } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { failEach, failsForGood, failsOnce, patient, silent, wrong } from "./storage-errors.js";
import { SCENARIOS } from "./storage-scenarios.js";

const OTHERS = ["ENOSPC", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);
/** Of so many calls one fails; in long runs each. */
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

describe("what these tests would notice", () => {
  it("is a store that swallows what the disk says: nobody is told", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("is a store that goes on swallowing: what was done is lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
