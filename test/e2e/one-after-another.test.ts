import { describe } from "vitest";
import { letsGoOf } from "./one-after-another.ts";

describe("a process that opens one app after another in one asynchronous function", () => {
  // The matrix has the other ways.
  letsGoOf(["engine"], () => process.execPath, 60_000, 60);
});
