/** Colours and widths of printed lines. */
import { plainText } from "../internal/text/plain-text.js";

/** Plain until the libraries are loaded: programs without a terminal never load them. */
export interface Theme {
  out: Palette;
  err: Palette;
  /** Returns the number of columns that a text takes. */
  width(text: string): number;
  /** Cuts the end or the middle of a text that takes more columns. */
  cut(text: string, columns: number, position?: "end" | "middle"): string;
  /** Columns of the terminal that lines go to; undefined if it is not a terminal. */
  readonly columns: number | undefined;
}

interface Wanted {
  /** Colours on standard output, and on standard error. */
  readonly out: boolean;
  readonly err: boolean;
  readonly isTerminal: boolean;
}

export function plainTheme(columns: () => number | undefined = () => undefined): Theme {
  return {
    out: PLAIN,
    err: PLAIN,
    width: ({ length }) => length,
    cut: (text, most) => text.slice(0, Math.max(0, most)),
    get columns() {
      return columns();
    },
  };
}

/** Loads the colours and widths that are wanted into a theme. */
export async function loadTheme(theme: Theme, { out, err, isTerminal }: Wanted): Promise<void> {
  await Promise.all([
    out || err ? loadColours(theme, out, err) : undefined,
    isTerminal ? loadWidths(theme) : undefined,
  ]);
}

async function loadColours(theme: Theme, out: boolean, err: boolean): Promise<void> {
  const { default: colours } = await import("picocolors");
  theme.out = colours.createColors(out);
  theme.err = colours.createColors(err);
}

async function loadWidths(theme: Theme): Promise<void> {
  const [{ default: stringWidth }, { default: cliTruncate }] = await Promise.all([
    import("string-width"),
    import("cli-truncate"),
  ]);
  theme.width = (text) => stringWidth(text);
  theme.cut = (text, columns, position = "end") => {
    for (let most = columns; most > 0; most--) {
      const cut = cliTruncate(text, most, { position });
      // If a wide character is cut, the text is one column too wide.
      if (stringWidth(cut) <= columns) return cut;
    }
    return "";
  };
}

type Style = (text: string) => string;

export interface Palette {
  readonly bold: Style;
  readonly dim: Style;
  readonly red: Style;
  readonly green: Style;
  readonly yellow: Style;
  readonly magenta: Style;
  readonly cyan: Style;
}

const same: Style = (text) => text;

/** A palette without colours. */
export const PLAIN: Palette = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  magenta: same,
  cyan: same,
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Follows https://no-color.org and https://force-color.org; else returns true for a terminal that can show colours. */
export function wantsColours(env: Environment, isTerminal: boolean): boolean {
  if (env.NO_COLOR) return false;
  const { FORCE_COLOR: forced } = env;
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isTerminal && !env.CI && env.TERM !== "dumb";
}

/** Returns the style of an action, planned or done. */
export function styleOf(palette: Palette, action: string): Style {
  switch (action) {
    case "create":
    case "created":
      return palette.green;
    case "update":
    case "updated":
      return palette.yellow;
    case "replace":
    case "replaced":
      return palette.magenta;
    case "adopt":
    case "adopted":
    case "rename":
      return palette.cyan;
    case "delete":
    case "deleted":
      return palette.red;
    default:
      return palette.dim;
  }
}

/** Breaks a text into rows at spaces. @param width returns the number of columns that a text takes */
export function fold(text: string, columns: number, width: (text: string) => number): readonly string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (width(longer) <= columns) {
      row = longer;
      continue;
    }
    if (row !== "") rows.push(row);
    const parts = partsOf(word, columns, width);
    row = parts.pop() ?? "";
    rows.push(...parts);
  }
  return [...rows, row];
}

/** Cuts a word that is too long for a row into parts. */
function partsOf(word: string, columns: number, width: (text: string) => number): string[] {
  const parts: string[] = [];
  let part = "";
  for (const character of word) {
    if (part !== "" && width(part + character) > columns) {
      parts.push(part);
      part = "";
    }
    part += character;
  }
  return [...parts, part];
}

/** Indent of the lines below a line that begins with a word. */
export const MARGIN = " ".repeat(9);

/** Splits a text into lines, without control characters. */
export function linesOf(text: string): readonly string[] {
  return plainText(text).split("\n");
}
