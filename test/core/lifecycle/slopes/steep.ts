/** Whether a cost grows faster than what it is the cost of. Pure. */

/** Each size is twice the one before it. */
export const SIZES = [40, 80, 160, 320] as const;

/**
 * The exponent up to which a count is taken for linear: n log n, of sorting and searching in sorted lists, comes to 1.3 at
 * these sizes.
 */
const LINEAR = 1.35;

/**
 * True where each doubling of the size has added more than twice of what the one before it had added. What is the same at
 * every size does not show in that; a threshold that is passed at one size shows in one of them.
 */
export function isSteep(counts: readonly number[]): boolean {
  const first = counts[0] ?? 0;
  const rises = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
  // Fewer than one for each resource that came last are nobody's cost.
  const isRelevant = first > 0 && (rises.at(-1) ?? 0) >= SIZES[2];
  return isRelevant && rises.slice(1).every((rise, at) => rise > 2 ** LINEAR * Math.max(1, rises[at] ?? 0));
}

/** The exponent of the power of the size that a cost comes closest to: slope of the line through the logarithms. */
export function exponentOf(costs: ReadonlyMap<number, number>): number {
  const points = [...costs].map(([size, cost]) => ({ x: Math.log(size), y: Math.log(cost) }));
  const mean = (of: (point: { readonly x: number; readonly y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)];
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2);
}

/** An exponent of processor time up to which a cost is taken for linear: caches and the collector of garbage are not. */
export const STEEPEST = 1.35;
