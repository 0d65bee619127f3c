/**
 * The word of a list that a mistyped one was most likely meant to be, or `undefined` where none is near.
 *
 * @param limit so many letters may differ
 */
export function nearest(word: string, words: readonly string[], limit?: number): string | undefined {
  return allNear(word, words, limit)[0];
}

/** As above, all that are near: the nearest first. */
export function allNear(
  word: string,
  words: readonly string[],
  // Of a single letter nothing would be left.
  limit = Math.min(word.length - 1, Math.max(1, Math.floor(word.length / 3))),
): readonly string[] {
  const near = words.flatMap((candidate) => {
    if (Math.abs(candidate.length - word.length) > limit) return [];
    const edits = distance(word.toLowerCase(), candidate.toLowerCase());
    return edits <= limit ? { candidate, edits } : [];
  });
  return near.toSorted((a, b) => a.edits - b.edits).map(({ candidate }) => candidate);
}

/** How many insertions, deletions, substitutions and swaps of neighbours turn `a` into `b`. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= a.length; row++) {
    const line = [row];
    rows.push(line);
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      line.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          row > 1 && column > 1 && swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
