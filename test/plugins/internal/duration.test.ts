import { describe, expect, test } from "vitest";
import { duration } from "../../../plugins/internal/text/duration.js";

describe("a duration in words", () => {
  test.each([
    [0.4, "0 ms"],
    [1, "1 ms"],
    [999, "999 ms"],
    [1_200, "1.2 s"],
    [60_000, "1 min"],
    [65_000, "1 min 5 s"],
    [3_600_000, "1 h"],
    [7_300_000, "2 h 1 min"],
    [90_000_000, "1 d 1 h"],
  ])("%d: %s", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });

  test.each([
    [999.6, "1.0 s"],
    [59_960, "1 min"],
    [119_700, "1 min 59 s"],
    [3_599_900, "59 min 59 s"],
  ])("is shown in the unit that it is rounded to: %d", (milliseconds, text) => {
    expect(duration(milliseconds)).toBe(text);
  });
});
