/** Which histories are lived through, by their seeds. */

/** @param first the first of so many */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Each planted defect shows in one of these, most of them in one of the first. */
const TELLING = [
  1, 5, 6, 7, 13, 14, 18, 19, 20, 25, 32, 37, 45, 46, 61, 84, 87, 88, 92, 93, 98, 209, 312, 334, 249, 398, 409, 948,
  1365,
];

/** Together they find every planted defect, which defects.matrix.test.ts holds. */
export const SAMPLE: readonly number[] = unique([...TELLING, ...seedsFrom(1, 100)]);

/** Each run of the tests plays these. */
export const LASTING: readonly number[] = unique([...SAMPLE, ...seedsFrom(1, 150)]);

/** The first seed of the day. Each day plays other histories, so that many are seen in time. */
export function seedOfTheDay(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) * 10_000;
}

function unique(seeds: readonly number[]): readonly number[] {
  return [...new Set(seeds)];
}
