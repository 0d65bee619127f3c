/** Every scenario on a disk that fails, but for what every test run has of it. */
import { describe } from "vitest";
import { failsForGood, failsOnce } from "./storage-errors.js";
import { SAMPLE, SCENARIOS } from "./storage-scenarios.js";

const isLong = process.env.LONG !== undefined;
const ALL = ["ENOSPC", "EIO", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);
const but = (one: string, codes: readonly string[], scenario: string) =>
  codes.filter((code) => scenario !== SAMPLE || code !== one);

describe.each(scenarios)("a run whose disk fails once (%s)", (scenario) => {
  const isWhole = isLong || scenario === "first" || scenario === "later";
  failsOnce(scenario, but("EIO", isWhole ? ALL : ["ENOSPC", "EIO"], scenario));
});

const lasting = isLong ? scenarios : ["later", "laterEntries"];
describe.each(lasting)("a run whose disk takes nothing more from some call on (%s)", (scenario) => {
  failsForGood(scenario, but("ENOSPC", ["ENOSPC", "EROFS"], scenario));
});
