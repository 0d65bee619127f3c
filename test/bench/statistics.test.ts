import { describe, expect, it } from "vitest";
import { median, medians } from "./statistics.js";

describe("the median", () => {
  it.each([
    [[3], 3],
    [[9, 1, 10], 9],
    [[4, 1, 100, 2], 3],
    [[], Number.NaN],
  ])("of %j is %d", (numbers, middle) => {
    expect(median(numbers)).toBe(middle);
  });

  it("leaves the numbers in their order", () => {
    const numbers = [2, 1];
    median(numbers);
    expect(numbers).toEqual([2, 1]);
  });

  it("is taken of each member, of those runs that have it", () => {
    const runs: { a: number; b?: number }[] = [{ a: 1 }, { a: 3, b: 7 }, { a: 2, b: 9 }];
    expect(medians(runs)).toEqual({ a: 2, b: 8 });
  });
});
