/** Every scenario on a disk that fails, but for what every test run has of it; and what such tests would notice. */
import { describe, expect, it } from "vitest";
import { failEach, failsForGood, failsOnce, patient, silent, wrong } from "./storage-errors.js";
import { SAMPLE, SCENARIOS } from "./storage-scenarios.js";

const isLong = process.env.LONG !== undefined;
const ALL = ["ENOSPC", "EIO", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);
const but = (one: string, codes: readonly string[], scenario: string) =>
  codes.filter((code) => scenario !== SAMPLE || code !== one);

describe.each(scenarios)("a run whose disk fails once (%s)", (scenario) => {
  const isWhole = isLong || scenario === "first" || scenario === "later";
  failsOnce(scenario, but("EIO", isWhole ? ALL : ["EIO"], scenario));
});

const lasting = isLong ? scenarios : ["later", "laterEntries"];
describe.each(lasting)("a run whose disk takes nothing more from some call on (%s)", (scenario) => {
  failsForGood(scenario, but("ENOSPC", ["ENOSPC", "EROFS"], scenario));
});

describe("what these tests would notice", () => {
  it("is a store that swallows what the disk says: nobody is told", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("is a store that goes on swallowing: what was done is lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
