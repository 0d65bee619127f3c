/** Lines of words on a terminal. */

/** Colours take no room. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
const COLOUR = /\u001B\[[0-9;]*m/g;

/** Narrower than this, lines begin at the margin. */
const NARROW = 40;

interface Room {
  /** Of the terminal; undefined: lines stay as they are. */
  readonly columns: number | undefined;
  /** What continues a line that begins at the margin stands so far in. One that is indented goes on where it began. */
  readonly indent: number;
  /** Columns that a text takes. */
  width?(text: string): number;
}

/** The rows of a line, broken at spaces. Words that are too long stay whole: the terminal breaks them, so that they can be copied. */
export function wrapped(line: string, { columns, indent, width = lengthOf }: Room): readonly string[] {
  // Terminals that do not know their width say 0.
  if (!columns || width(line) <= columns) return [line];
  const own = /^ */.exec(line)?.[0] ?? "";
  const margin = columns < NARROW ? "" : own === "" ? " ".repeat(indent) : own;
  const rows: string[] = [];
  let row = "";
  for (const word of line.slice(own.length).split(" ")) {
    const start = rows.length === 0 ? own : margin;
    const longer = row === "" ? `${start}${word}` : `${row} ${word}`;
    if (row === "" || width(longer.trimEnd()) <= columns) {
      // Spaces at which a row was broken are gone.
      if (row !== "" || word !== "" || rows.length === 0) row = longer;
      continue;
    }
    rows.push(row.trimEnd());
    row = word === "" ? "" : `${margin}${word}`;
  }
  return [...rows, row];
}

function lengthOf(text: string): number {
  return [...text.replace(COLOUR, "")].length;
}
