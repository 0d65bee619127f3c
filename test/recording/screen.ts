/** What stands on a terminal's screen, cell by cell, with its colours. */
import type { IBufferCell, Terminal } from "@xterm/headless";

/** Cells beside each other that look the same. */
export interface Run {
  readonly text: string;
  /** E.g. `bold red`; empty as most are. */
  readonly look: string;
}

/** Without the empty cells at its end. */
export type Row = readonly Run[];

export interface Screen {
  readonly rows: readonly Row[];
  readonly cursor: { readonly row: number; readonly column: number };
}

/** Of the 16 colours, those that programs here use. */
const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan"];

export function screenOf(terminal: Terminal): Screen {
  const { viewportY, cursorX: column, cursorY: row } = terminal.buffer.active;
  const rows = Array.from({ length: terminal.rows }, (_, index) => rowAt(terminal, viewportY + index));
  return { rows, cursor: { row, column } };
}

export function textOf(row: Row): string {
  return row.map(({ text }) => text).join("");
}

/** All rows as text, without the empty ones at the end. */
export function textsOf({ rows }: Screen): readonly string[] {
  const texts = rows.map(textOf);
  return texts.slice(0, texts.findLastIndex((text) => text !== "") + 1);
}

function rowAt(terminal: Terminal, y: number): Row {
  const line = terminal.buffer.active.getLine(y);
  const length = line?.translateToString(true).trimEnd().length ?? 0;
  const runs: Run[] = [];
  for (let x = 0; x < length; x++) {
    const cell = line?.getCell(x);
    const text = cell?.getChars() || " ";
    // A blank looks as what it follows.
    const look = cell && text !== " " ? lookOf(cell) : (runs.at(-1)?.look ?? "");
    const last = runs.at(-1);
    if (last?.look === look) runs[runs.length - 1] = { text: last.text + text, look };
    else runs.push({ text, look });
  }
  return runs;
}

function lookOf(cell: IBufferCell): string {
  const colour = cell.isFgDefault() ? "" : (cell.isFgPalette() && COLOURS[cell.getFgColor()]) || "another-colour";
  const is = {
    bold: cell.isBold(),
    dim: cell.isDim(),
    inverse: cell.isInverse(),
    italic: cell.isItalic(),
    underline: cell.isUnderline(),
    background: !cell.isBgDefault(),
    [colour]: colour !== "",
  };
  return Object.entries(is)
    .flatMap(([name, holds]) => (holds ? [name] : []))
    .join(" ");
}
