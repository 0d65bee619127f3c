/** More resources are declared at once than may run: a tenth of what the matrix has. */
import { describe } from "vitest";
import { COUNT, isMadeForHandlers, leavesWhatHasBegun } from "./admission-queue.js";

const count = COUNT / 10;

describe(`${count} resources that are declared at once`, () => leavesWhatHasBegun(count));

describe("what is declared last", () => isMadeForHandlers(600));
