import { describe } from "vitest";
import { letsGoOf } from "./one-after-another.ts";

describe("a process that opens one app after another in one asynchronous function", () => {
  // The other ways are in the matrix.
  letsGoOf(["engine"], () => process.execPath, 60_000, 60);
});
