/** One row of a plan for each resource: side by side where the terminal is wide enough, else below each other. Pure. */
import type { PlanNote } from "../../core/plan/plan.js";
import { fold } from "./fold.js";
import type { Look } from "./look.js";
import { styleOf } from "./palette.js";

/** Below the names, where signs and words stand in front of them. */
export const INDENT = " ".repeat(11);

/** Terminals that are narrower have less of a margin. */
const NARROW = 60;

/** Columns are no wider than these, lest one long name push all reasons out of sight. */
const COLUMNS = { fqn: 48, kind: 24 } as const;

export interface Row {
  readonly sign: string;
  readonly word: string;
  readonly note: PlanNote;
  /** Behind the reason. */
  readonly doubt?: string;
}

export interface Layout {
  readonly fqn: number;
  readonly kind: number;
  /** True: what does not fit beside each other is below each other, in all rows. */
  readonly isFolded: boolean;
  readonly indent: string;
}

export function layoutOf(rows: readonly Row[], look: Look): Layout {
  const widest = (most: number, texts: readonly string[]): number =>
    texts.map(look.width).reduce((width, one) => (one > most ? width : Math.max(width, one)), 0);
  const fqn = widest(
    COLUMNS.fqn,
    rows.map(({ note }) => note.fqn),
  );
  const kind = widest(
    COLUMNS.kind,
    rows.map(({ note }) => `(${note.kind})`),
  );
  const { columns = Number.POSITIVE_INFINITY } = look;
  const wide: Layout = { fqn, kind, isFolded: false, indent: columns < NARROW ? "  " : INDENT };
  return { ...wide, isFolded: rows.some((row) => look.width(rowLines(row, wide, look).join()) > columns) };
}

export function rowLines({ sign, word, note, doubt = "" }: Row, layout: Layout, look: Look): string[] {
  const { out, columns = Number.POSITIVE_INFINITY } = look;
  const style = styleOf(out, word);
  const { fqn, kind, reason } = note;
  const padded = (text: string, width: number): string => `${text}${" ".repeat(Math.max(0, width - look.width(text)))}`;
  if (!layout.isFolded) {
    const names = `${padded(fqn, layout.fqn)}  ${out.dim(padded(`(${kind})`, layout.kind))}`;
    return [`${style(`${sign} ${word.padEnd(8)}`)} ${names}  ${reason}${out.dim(doubt)}`];
  }
  const folded = (text: string, style: (text: string) => string): string[] =>
    fold(text, columns - layout.indent.length, look.width).map((line) => `${layout.indent}${style(line)}`);
  const room = columns - INDENT.length;
  const isShort = look.width(fqn) <= room;
  return [
    isShort ? `${style(`${sign} ${word.padEnd(8)}`)} ${fqn}` : style(`${sign} ${word}`),
    ...(isShort ? [] : folded(fqn, (line) => line)),
    ...folded(`(${kind}) ${reason}${doubt}`, out.dim),
  ];
}
