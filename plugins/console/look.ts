/** How lines look where they go. */
import { type Palette, PLAIN } from "./palette.js";

/** Plain until the libraries are there: programs that print to no terminal never load them. */
export interface Look {
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

export function plainLook(columns: () => number | undefined = () => undefined): Look {
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
export async function loadLook(look: Look, { out, err, isTerminal }: Wanted): Promise<void> {
  await Promise.all([out || err ? loadColours(look, out, err) : undefined, isTerminal ? loadWidths(look) : undefined]);
}

async function loadColours(look: Look, out: boolean, err: boolean): Promise<void> {
  const { default: colours } = await import("picocolors");
  look.out = colours.createColors(out);
  look.err = colours.createColors(err);
}

async function loadWidths(look: Look): Promise<void> {
  const [{ default: stringWidth }, { default: cliTruncate }] = await Promise.all([
    import("string-width"),
    import("cli-truncate"),
  ]);
  look.width = (text) => stringWidth(text);
  look.cut = (text, columns, position = "end") => {
    for (let most = columns; most > 0; most--) {
      const cut = cliTruncate(text, most, { position });
      // Where a wide character is cut through, it is one column too wide.
      if (stringWidth(cut) <= columns) return cut;
    }
    return "";
  };
}
