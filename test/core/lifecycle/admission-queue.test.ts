/** Declares more resources at once than may run: a tenth of the number in the matrix test. */
import { describe } from "vitest";
import { COUNT, isMadeForHandlers, leavesWhatHasBegun } from "./admission-queue.js";

const count = COUNT / 10;

describe(`${count} resources that are declared at once`, () => leavesWhatHasBegun(count));

describe("the last declaration", () => isMadeForHandlers(600));
