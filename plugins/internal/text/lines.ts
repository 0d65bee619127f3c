/** Lines of words on a terminal. */
import { StringDecoder } from "node:string_decoder";

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

/** Characters of a line that goes on and on, before it is given up. */
const LONGEST = 1024 * 1024;

/** Stands for such a line: only of a whole one it can be told what is to be hidden in it. */
const LEFT_OUT = "[a line of more than 1 MiB is not shown]";

/** Whole lines, without their ends, of bytes that come in pieces: none is lost, and none is cut in two. */
export class Lines {
  readonly #decoder = new StringDecoder("utf8");
  #rest = "";
  /** The rest of the line is left out. */
  #isLeftOut = false;

  /** The lines that are whole by now. */
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

  /** The last line, where nothing ended it. */
  end(): readonly string[] {
    const last = this.#rest + this.#decoder.end();
    this.#rest = "";
    return last === "" || this.#isLeftOut ? [] : [withoutReturn(last)];
  }
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}
