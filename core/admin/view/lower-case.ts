/** Where a text stands in another, whatever its capital letters. Pure. */

/** Of a long text so much is put in small letters at once: what it holds often is found in the first of it. */
const PIECE = 65_536;

/** @param wanted in small letters. @returns -1: nowhere */
export function indexInAnyCase(text: string, wanted: string): number {
  // What lies across two pieces is whole in the second one.
  const step = Math.max(PIECE, wanted.length * 2);
  for (let from = 0; ; from += step) {
    const start = Math.max(0, from - wanted.length);
    const piece = text.slice(start, from + step);
    const at = piece.toLowerCase().indexOf(wanted);
    if (at >= 0) return start + at;
    if (from + step >= text.length) return -1;
  }
}
