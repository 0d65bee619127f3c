/** Wraps lines of words for a terminal, and splits bytes into lines. */
import { StringDecoder } from "node:string_decoder";

/** Colour codes, which take no columns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
const COLOUR = /\u001B\[[0-9;]*m/g;

/** On narrower terminals, continued rows begin at the margin. */
const NARROW = 40;

interface Room {
  /** Columns of the terminal; undefined: lines stay as they are. */
  readonly columns: number | undefined;
  /** Indentation of the rows that continue an unindented line. The rows of an indented line keep its indentation. */
  readonly indent: number;
  /** Returns the columns that a text takes. */
  width?(text: string): number;
}

/** Wraps a line at spaces. Words that are too long stay whole: the terminal breaks them, so that they can be copied. */
export function wrapped(line: string, { columns, indent, width = lengthOf }: Room): readonly string[] {
  // Terminals that do not know their width report 0.
  if (!columns || width(line) <= columns) return [line];
  const own = /^ */.exec(line)?.[0] ?? "";
  const margin = columns < NARROW ? "" : own === "" ? " ".repeat(indent) : own;
  const rows: string[] = [];
  let row = "";
  for (const word of line.slice(own.length).split(" ")) {
    const start = rows.length === 0 ? own : margin;
    const longer = row === "" ? `${start}${word}` : `${row} ${word}`;
    if (row === "" || width(longer.trimEnd()) <= columns) {
      // Spaces at a break are dropped.
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

/** Longest line in characters. */
const LONGEST = 1024 * 1024;

/** Replaces such a line: secrets can be masked only in whole lines. */
const LEFT_OUT = "[a line of more than 1 MiB is not shown]";

/** Splits bytes that arrive in pieces into whole lines without their ends. No line is lost or cut in two. */
export class Lines {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  /** True while the rest of a too long line is dropped. */
  #isLeftOut = false;

  /** Returns the lines that are whole by now. */
  add(bytes: Buffer): readonly string[] {
    const lines = (this.#rest + this.#decoder.write(bytes)).split("\n");
    this.#rest = lines.pop() ?? "";
    if (this.#isLeftOut && lines.length > 0) {
      lines.shift();
      this.#isLeftOut = false;
    }
    if (this.#isLeftOut) this.#rest = "";
    else if (this.#rest.length > LONGEST) {
      lines.push(LEFT_OUT);
      this.#rest = "";
      this.#isLeftOut = true;
    }
    return lines.map(withoutReturn);
  }

  /** Returns the last line if it has no end. */
  end(): readonly string[] {
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    return last === "" || this.#isLeftOut ? [] : [withoutReturn(last)];
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
