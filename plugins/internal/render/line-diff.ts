/** Compares texts of several lines, and returns the lines that differ. Pure. */
import { diffArrays } from "diff";

/** Unchanged lines shown around a changed one. */
const CONTEXT = 2;
/** The most lines shown, and the longest of them. */
const MOST = 40;
const LONGEST = 200;
/** Texts with more differing lines are not compared line by line: that takes the square of this number of steps. */
const MOST_EDITS = 1_000;

/**
 * Marks added lines with `+ `, removed ones with `- `, unchanged ones with two blanks, and left-out ones with `…`.
 *
 * @param before undefined if there is no text on that side
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
  const parts = diffArrays([...before], [...after], { maxEditLength: MOST_EDITS }) ?? [
    { value: [...before], removed: true, added: false },
    { value: [...after], removed: false, added: true },
  ];
  return parts.flatMap(({ value, added, removed }) =>
    value.map((line) => `${added ? "+" : removed ? "-" : " "} ${line}`),
  );
}
