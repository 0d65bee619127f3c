import { expect, test } from "vitest";
import { FIRST } from "../runner/durations.mjs";
import { filesBelow } from "./project.ts";

test("the test files that are known to take long are there", () => {
  const files = filesBelow("test", (path) => path.endsWith(".test.ts"));
  expect(Object.keys(FIRST).length).toBeGreaterThan(20);
  expect(Object.keys(FIRST).filter((file) => !files.includes(file))).toEqual([]);
});
