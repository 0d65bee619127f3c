/** Splits CSV into rows (RFC 4180). Lines may end with CRLF, LF or CR. */

export interface Row {
  readonly cells: readonly string[];
  /** Number of its first line, from 1. */
  readonly number: number;
}

/** A quote at the wrong place. */
export interface Stray {
  /** Number of the line in which its cell begins. */
  readonly strayAt: number;
}

/**
 * Cells in double quotes can hold commas, line breaks and doubled quotes, and keep their blanks. Empty lines do not
 * count. It uses no expression that matches a whole cell, which would need a stack as large as the cell.
 */
export function csvRows(text: string): readonly Row[] | Stray {
  const rows: Row[] = [];
  let [cells, number, line]: [string[], number, number] = [[], 1, 1];
  for (let at = 0; at < text.length || cells.length > 0; ) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? closingQuote(text, at + 1) : nextOf(text, at);
    if (end === undefined) return { strayAt: line };
    const cell = isQuoted ? text.slice(at + 1, end).replaceAll('""', '"') : text.slice(at, end).trim();
    cells.push(cell);
    at = isQuoted ? end + 1 : end;
    const sign = text[at] ?? "\n";
    if (!/[,\r\n]/.test(sign)) return { strayAt: line };
    if (isQuoted) line += lineBreaksIn(cell);
    at += sign === "\r" && text[at + 1] === "\n" ? 2 : 1;
    if (sign === ",") continue;
    if (cells.length > 1 || isQuoted || cell !== "") rows.push({ cells, number });
    line++;
    [cells, number] = [[], line];
  }
  return rows;
}

export function lineBreaksIn(text: string): number {
  let count = 0;
  for (const sign = /\r\n?|\n/g; sign.test(text); ) count++;
  return count;
}

function closingQuote(text: string, from: number): number | undefined {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return undefined;
}

/** Returns the place of the next sign between cells, or of a quote. */
function nextOf(text: string, from: number): number {
  const sign = /[",\r\n]/g;
  sign.lastIndex = from;
  return sign.exec(text)?.index ?? text.length;
}
