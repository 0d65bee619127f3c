import { describe } from "vitest";
import { letsGoOf } from "./one-after-another.ts";

describe("a process that opens one app after another in one asynchronous function", () => {
  letsGoOf(["engine", "engine.run", "secrets", "a failing app.run"], () => process.execPath, 30_000);
});
