/** Prints rows in columns. They fit the terminal, and are not cut in other output. */

import { plainText } from "../internal/text/plain-text.js";

export interface Column<T> {
  readonly title: string;
  text(row: T): string;
  /** Part of a text that is cut if the text is too wide. Default: the end. */
  readonly cut?: "middle";
}

const GAP = "  ";
/** Minimum width of a column. */
const NARROWEST = 8;
const PLAIN = /^[\x20-\x7e]*$/;

/** @param width of the terminal; if it is undefined or unknown, nothing is cut */
export async function table<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  width: number | undefined = (process.stdout.isTTY && process.stdout.columns) || undefined,
): Promise<readonly string[]> {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map((column) => oneLine(column.text(row)))),
  ];
  const measure = await measureFor(cells.flat());
  const natural = columns.map((_, at) => Math.max(...cells.map((row) => measure(row[at] ?? ""))));
  const widths = width === undefined ? natural : fitted(natural, width - GAP.length * (columns.length - 1));
  const cut = widths.every((one, at) => one === natural[at]) ? undefined : (await import("cli-truncate")).default;
  return cells.map((row) => {
    const parts = row.map((cell, at) => {
      const room = widths[at] ?? 0;
      const text = cut && measure(cell) > room ? cut(cell, room, { position: columns[at]?.cut ?? "end" }) : cell;
      return text + " ".repeat(Math.max(0, room - measure(text)));
    });
    return parts.join(GAP).trimEnd();
  });
}

async function measureFor(cells: readonly string[]): Promise<(text: string) => number> {
  // The common case. The table of widths is large and slow to load.
  if (cells.every((cell) => PLAIN.test(cell))) return (text) => [...text].length;
  return (await import("string-width")).default;
}

/** Shrinks the widest columns first. */
function fitted(natural: readonly number[], room: number): readonly number[] {
  const widths = [...natural];
  for (let over = widths.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** Removes line breaks and control characters. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s*\n\s*/g, " ");
}
