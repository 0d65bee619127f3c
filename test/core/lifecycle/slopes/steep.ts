/** Decides whether a cost grows faster than its size. Pure. */

/** Each size is twice the one before it. */
export const SIZES = [40, 80, 160, 320] as const;

/**
 * The exponent up to which a count is linear: n log n, of sorting and searching in sorted lists, is 1.3 at these sizes.
 */
const LINEAR = 1.35;

/**
 * True if each doubling of the size added more than twice as much as the one before. A constant part does not show in
 * this; a threshold that is passed at one size shows in one of the doublings only.
 */
export function isSteep(counts: readonly number[]): boolean {
  const first = counts[0] ?? 0;
  const rises = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
  // Less than one for each of the last resources is not a cost per resource.
  const isRelevant = first > 0 && (rises.at(-1) ?? 0) >= SIZES[2];
  return isRelevant && rises.slice(1).every((rise, at) => rise > 2 ** LINEAR * Math.max(1, rises[at] ?? 0));
}

/** The exponent of the power of the size that fits a cost best: the slope of the line through the logarithms. */
export function exponentOf(costs: ReadonlyMap<number, number>): number {
  const points = [...costs].map(([size, cost]) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}

/** The exponent up to which processor time is linear: caches and garbage collection are not quite linear. */
export const STEEPEST = 1.35;
