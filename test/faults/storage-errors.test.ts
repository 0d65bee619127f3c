/** A disk that fails, in one scenario; the matrix has the others, and what such tests would notice. */
import { describe } from "vitest";
import { failsForGood, failsOnce } from "./storage-errors.js";
import { SAMPLE } from "./storage-scenarios.js";

describe(`a run whose disk fails once (${SAMPLE})`, () => failsOnce(SAMPLE, ["EIO"]));
describe(`a run whose disk takes nothing more from some call on (${SAMPLE})`, () => failsForGood(SAMPLE, ["ENOSPC"]));
