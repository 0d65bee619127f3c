/**
 * The dense line on which resources stand in the order of the program: each holds an interval `ready < done`, and
 * nothing that became ready before another was done can have seen its output. Pure.
 */
import type { Position } from "../contract/index.js";

export function comparePositions(a: Position, b: Position): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * A position above `low` and below `high`. Neighbours go up or down by one in one place, so that it grows longer only
 * where insertions alternate, and never runs out.
 */
export function between(low: Position, high: Position | undefined): Position {
  for (let length = 1; length <= low.length; length++) {
    const next = low.slice(0, length);
    next[length - 1] = (low[length - 1] ?? 0) + 1;
    if (high === undefined || comparePositions(next, high) < 0) return next;
  }
  const inner = high?.slice(0, low.length);
  const extendsLow = high !== undefined && inner !== undefined && comparePositions(inner, low) === 0;
  return [...low, extendsLow ? (high[low.length] ?? 0) - 1 : 0];
}

export function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : b;
}
