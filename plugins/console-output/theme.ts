/** How lines look where they go. */
import { type Palette, PLAIN } from "./palette.js";

/** Plain until the libraries are there: programs that print to no terminal never load them. */
export interface Theme {
  out: Palette;
  err: Palette;
  /** Columns that a text takes. */
  width(text: string): number;
  /** The text in so many columns at most; what is too long lacks its end, or its middle. */
  cut(text: string, columns: number, position?: "end" | "middle"): string;
  /** Columns of the terminal that lines go to; undefined where it is none. */
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

/** Resolves when a look has what is wanted. */
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
      // Where a wide character is cut through, it is one column too wide.
      if (stringWidth(cut) <= columns) return cut;
    }
    return "";
  };
}
