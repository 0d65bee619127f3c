/** Rows of a plan, one for each resource: in columns if the terminal is wide enough, else on several lines. Pure. */
import type { PlanNote } from "../../core/contract/index.js";
import type { Theme } from "./theme.js";
import { fold, styleOf } from "./theme.js";

/** Indents a line to the column of the names, after signs and words. */
export const INDENT = " ".repeat(11);

/** Columns. Narrower terminals get a smaller indent. */
const NARROW = 60;

/** Columns. Reasons with less room beside names and kinds are printed below them. */
const LEAST = 30;

/** Maximum widths: one long name must not push all reasons to the right. */
const COLUMNS = { fqn: 48, kind: 24 } as const;

export interface Row {
  readonly sign: string;
  readonly word: string;
  readonly note: PlanNote;
  /** Text after the reason. */
  readonly doubt?: string;
}

export interface Layout {
  readonly fqn: number;
  readonly kind: number;
  /** True if all rows print reasons below names. */
  readonly isFolded: boolean;
  readonly indent: string;
}

export function layoutOf(rows: readonly Row[], theme: Theme): Layout {
  const widest = (most: number, texts: readonly string[]): number =>
    texts.map(theme.width).reduce((width, one) => (one > most ? width : Math.max(width, one)), 0);
  const fqn = widest(
    COLUMNS.fqn,
    rows.map(({ note }) => note.fqn),
  );
  const kind = widest(
    COLUMNS.kind,
    rows.map(({ note }) => `(${note.kind})`),
  );
  const { columns = Number.POSITIVE_INFINITY } = theme;
  const isFolded = INDENT.length + fqn + kind + 4 + LEAST > columns;
  return { fqn, kind, isFolded, indent: columns < NARROW ? "  " : INDENT };
}

export function rowLines(row: Row, layout: Layout, theme: Theme): string[] {
  const { sign, word, note, doubt = "" } = row;
  const { out, width, columns = Number.POSITIVE_INFINITY } = theme;
  const { fqn, kind, reason } = note;
  const padded = (text: string, most: number): string => `${text}${" ".repeat(Math.max(0, most - width(text)))}`;
  const head = INDENT.length + Math.max(width(fqn), layout.fqn) + 2 + Math.max(width(kind) + 2, layout.kind) + 2;
  if (layout.isFolded || head > columns) return foldedRow(row, layout, theme);
  const names = `${padded(fqn, layout.fqn)}  ${out.dim(padded(`(${kind})`, layout.kind))}`;
  const column = INDENT.length + layout.fqn + layout.kind + 4;
  const isBeside = head + LEAST <= columns;
  const [first = "", ...rest] = [
    ...(isBeside ? [] : [""]),
    ...fold(`${oneLine(reason)}${doubt}`, columns - Math.max(column, isBeside ? head : 0), width),
  ];
  return [
    `${styleOf(out, word)(`${sign} ${word.padEnd(8)}`)} ${names}  ${first}`.trimEnd(),
    ...rest.map((line) => `${" ".repeat(isBeside ? head : column)}${line}`),
  ];
}

function foldedRow({ sign, word, note, doubt = "" }: Row, { indent }: Layout, theme: Theme): string[] {
  const { out, width, columns = Number.POSITIVE_INFINITY } = theme;
  const style = styleOf(out, word);
  const { fqn, kind, reason } = note;
  const below = (text: string): string[] =>
    fold(text, columns - indent.length, width).map((line) => `${indent}${line}`);
  const isShort = width(fqn) <= columns - INDENT.length;
  return [
    isShort ? `${style(`${sign} ${word.padEnd(8)}`)} ${fqn}` : style(`${sign} ${word}`),
    ...(isShort ? [] : below(fqn)),
    ...below(`(${kind}) ${oneLine(reason)}${doubt}`).map(out.dim),
  ];
}

/** Joins the lines of a text: a reason may quote an error of several lines. */
export function oneLine(text: string): string {
  return text.replace(/\s*\r?\n\s*/g, " ");
}
