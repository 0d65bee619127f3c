/** Texts of several lines as the lines that differ. Pure. */

/** So many equal lines are shown around one that differs. */
const CONTEXT = 2;
/** So many lines are shown, each so long at most. */
const MOST = 40;
const LONGEST = 200;
/** Longer texts are not compared line by line: that takes the product of their lengths. */
const MOST_STEPS = 1_000_000;

/**
 * With `+ ` in front of what comes, `- ` of what goes, and two blanks of what stays; `…` stands for lines that are left out.
 *
 * @param before undefined where there is nothing on that side
 * @param isFull all lines, at full length
 */
export function lineDiff(before: string | undefined, after: string | undefined, isFull: boolean): readonly string[] {
  const all = compared(linesIn(before), linesIn(after));
  if (isFull) return all;
  const near = all.map((_line, at) => all.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(isChange));
  const shown = all.flatMap((line, at) => (near[at] ? [cut(line)] : near[at - 1] || at === 0 ? ["…"] : []));
  const more = shown.length - MOST;
  return more > 0 ? [...shown.slice(0, MOST), `… ${more} more lines`] : shown;
}

export function isMultiline(text: unknown): boolean {
  return typeof text === "string" && text.trimEnd().includes("\n");
}

function linesIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : text.replace(/\n$/, "").split("\n");
}

function isChange(line: string): boolean {
  return !line.startsWith(" ");
}

function cut(line: string): string {
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
}

function compared(before: readonly string[], after: readonly string[]): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const same = (line: string): string => `  ${line}`;
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): readonly string[] {
  const gone = (line: string): string => `- ${line}`;
  const come = (line: string): string => `+ ${line}`;
  if (before.length * after.length > MOST_STEPS) return [...before.map(gone), ...after.map(come)];
  const lengths = before.map(() => new Array<number>(after.length + 1).fill(0));
  const lengthAt = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--) {
    const line = lengths[row] ?? [];
    for (let column = after.length - 1; column >= 0; column--) {
      const isSame = before[row] === after[column];
      line[column] = isSame
        ? lengthAt(row + 1, column + 1) + 1
        : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1));
    }
  }
  const lines: string[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old = "", now = ""] = [before[row], after[column]];
    if (row < before.length && column < after.length && old === now) {
      lines.push(`  ${old}`);
      row++;
      column++;
    } else if (
      column >= after.length ||
      (row < before.length && lengthAt(row + 1, column) >= lengthAt(row, column + 1))
    ) {
      lines.push(gone(old));
      row++;
    } else {
      lines.push(come(now));
      column++;
    }
  }
  return lines;
}
