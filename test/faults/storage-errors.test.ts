/**
 * A disk that fails at some calls, in one scenario; the matrix has all of them, and faults that such tests would
 * notice.
 */
import { describe } from "vitest";
import { failsForGood, failsOnce } from "./storage-errors.js";

describe("a run whose disk fails once", () => failsOnce("later", ["EIO"], 5));
describe("a run whose disk takes nothing more from some call on", () => failsForGood("later", ["ENOSPC"], 5));
