/** The histories that are run, by their seeds. */

/** @param first the first of so many */
export function seedsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** Each planted defect shows in one of these, most of them in one of the first. */
const TELLING = [
  1, 5, 6, 7, 13, 14, 18, 19, 20, 25, 32, 37, 45, 46, 61, 84, 87, 88, 92, 93, 98, 209, 312, 334, 249, 398, 409, 948,
  1365,
];

/** Each run of the tests plays these. Together they find every planted defect; defects.matrix.test.ts checks that. */
export const SAMPLE: readonly number[] = unique([...TELLING, ...seedsFrom(1, 100)]);

/** In the world of users: together they find every defect of defects/users.ts; users.matrix.test.ts checks that. */
const TELLING_OF_USERS = [3, 4, 8, 9, 11, 12, 26, 28, 30, 32, 39, 46, 49, 75, 110, 139, 142, 191, 225, 285, 308];

/** Others that take less time than most. */
const QUICK_OF_USERS = [
  13, 15, 17, 20, 23, 31, 37, 45, 52, 64, 65, 72, 73, 78, 79, 92, 106, 107, 112, 116, 117, 118, 120, 121, 125, 127, 130,
  134, 149,
];

/** Each run of the tests plays these of the world of users. */
export const SAMPLE_OF_USERS: readonly number[] = [...TELLING_OF_USERS, ...QUICK_OF_USERS];

/** Two stages, between which records move: together they find every defect of defects/moves.ts. */
export const SAMPLE_OF_MOVES: readonly number[] = [1, 2, 3, 4, 5, 21, 52];

/** The first seed of the day. Each day plays other histories, so many are seen in time. */
export function seedOfTheDay(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", "")) * 10_000;
}

function unique(seeds: readonly number[]): readonly number[] {
  return [...new Set(seeds)];
}
