/** Which histories are lived through, by their seeds. */

/** @param first the first of so many */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Most of the planted defects show in one of the first hundred histories, and each of the others in one of these. */
const TELLING = [209, 312, 334, 398, 409, 948, 1365];

/** Those of `npm test`: together they find every planted defect, which defects.matrix.test.ts holds. */
export const SAMPLE: readonly number[] = [...seedsFrom(1, 100), ...TELLING];

/** The first of another thousand histories each day, so that many are seen in time; the same one all day. */
export function seedOfTheDay(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) * 10_000;
}
