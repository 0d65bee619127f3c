import { describe, expect, test } from "vitest";
import type { Position } from "../../../core/contract/index.js";
import { comparePositions } from "../../../core/order/index.js";
import { between } from "../../../core/order/positions.js";

describe("positions", () => {
  test.each<[Position, Position]>([
    [[], [0]],
    [[-1], [0]],
    [[1], [1, -5]],
    [[1, 9], [2]],
    [
      [1, -1],
      [1, 0],
    ],
    [[9], [10]],
  ])("%j comes before %j", (a, b) => {
    expect(comparePositions(a, b)).toBeLessThan(0);
    expect(comparePositions(b, a)).toBeGreaterThan(0);
    expect(comparePositions(a, [...a])).toBe(0);
  });

  test.each<[Position, Position | undefined, Position]>([
    [[], undefined, [0]],
    [[], [0], [-1]],
    [[3], undefined, [4]],
    [[3], [5], [4]],
    [[3], [4], [3, 0]],
    [[3, 0], [4], [3, 1]],
    [[3], [3, 0], [3, -1]],
    [
      [3, -1],
      [3, 0],
      [3, -1, 0],
    ],
    [[3, 7, 1], [5], [4]],
  ])("between %j and %j is %j", (low, high, expected) => {
    expect(between(low, high)).toEqual(expected);
  });
});
