/** The elements of two sequences outside of their longest common subsequence. */
import { isDeepStrictEqual } from "node:util";

export function unmatched<T>(theirs: readonly T[], ours: readonly T[]): readonly [readonly T[], readonly T[]] {
  const same = (one: number, other: number): boolean => isDeepStrictEqual(theirs[one], ours[other]);
  const lengths = commonLengths(theirs.length, ours.length, same);
  const left: [T[], T[]] = [[], []];
  let [one, other] = [0, 0];
  while (one < theirs.length || other < ours.length) {
    const [their, our] = [theirs[one], ours[other]];
    if (their && our && same(one, other)) {
      one++;
      other++;
    } else if (their && (!our || (lengths[one + 1]?.[other] ?? 0) >= (lengths[one]?.[other + 1] ?? 0))) {
      left[0].push(their);
      one++;
    } else if (our) {
      left[1].push(our);
      other++;
    }
  }
  return left;
}

/** Length of the longest common subsequence from each pair of places on. */
function commonLengths(
  theirs: number,
  ours: number,
  same: (one: number, other: number) => boolean,
): readonly (readonly number[])[] {
  const lengths = Array.from({ length: theirs + 1 }, () => new Array<number>(ours + 1).fill(0));
  for (let one = theirs - 1; one >= 0; one--) {
    for (let other = ours - 1; other >= 0; other--) {
      const [row, below] = [lengths[one], lengths[one + 1]];
      if (row && below)
        row[other] = same(one, other) ? (below[other + 1] ?? 0) + 1 : Math.max(below[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return lengths;
}
