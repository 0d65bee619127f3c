/** A recording as it is shown: how long each screen stays, and from when until when each row of it is the same. Pure. */

import type { Recording, Step } from "./record.ts";
import type { Row, Screen } from "./screen.ts";
import type { Frame } from "./shell.ts";

/** From when until when it is seen, in milliseconds. */
export interface Span<T> {
  readonly of: T;
  readonly from: number;
  readonly to: number;
}

export interface PlacedRow {
  readonly y: number;
  readonly row: Row;
}

export interface Cells {
  readonly y: number;
  readonly column: number;
  readonly length: number;
}

export interface Film {
  /** Milliseconds. */
  readonly duration: number;
  readonly rows: readonly Span<PlacedRow>[];
  /** Where the shell waits for a command. */
  readonly cursors: readonly Span<Cells>[];
  /** Commands while they are being typed. */
  readonly typings: readonly Span<Cells>[];
  readonly captions: readonly Span<string>[];
}

interface Shot {
  readonly caption: string;
  readonly screen: Screen;
  readonly length: number;
  readonly typing?: Cells;
  readonly isAtPrompt?: boolean;
}

/** Milliseconds. */
const PACE = {
  /** The prompt, before somebody types. */
  idle: 200,
  letter: 28,
  /** Of a command, however long it is. */
  command: 600,
  /** Between the last letter and Return. */
  entered: 150,
  /** Of what programs show, nothing is shorter or longer. */
  least: 30,
  most: 300,
} as const;

export function filmOf({ first, steps }: Recording): Film {
  const opening = { caption: steps[0]?.caption ?? "", screen: first, length: PACE.idle, isAtPrompt: true };
  const spans = inTurn([opening, ...steps.flatMap(shotsOf)]);
  return {
    duration: spans.at(-1)?.to ?? 0,
    rows: first.rows.flatMap((_, y) =>
      joined(spans.map(({ of, ...when }) => ({ ...when, of: { y, row: of.screen.rows[y] ?? [] } }))).filter(
        ({ of }) => of.row.length > 0,
      ),
    ),
    cursors: joined(
      spans.map(({ of, ...when }) => ({ ...when, of: of.isAtPrompt ? cursorOf(of.screen) : undefined })),
    ).flatMap(({ of, ...when }) => (of ? [{ of, ...when }] : [])),
    typings: spans.flatMap(({ of: { typing }, from, to }) =>
      typing ? [{ of: typing, from, to: to - PACE.entered }] : [],
    ),
    captions: joined(spans.map(({ of, ...when }) => ({ ...when, of: of.caption }))),
  };
}

function shotsOf({ caption, typed, frames, hold }: Step): readonly Shot[] {
  const shown = lengthsOf(frames, hold).map(
    ({ screen, length }, index, all): Shot => ({ caption, screen, length, isAtPrompt: index === all.length - 1 }),
  );
  if (!typed) return shown;
  const { command, screen } = typed;
  const { row: y, column } = screen.cursor;
  const length = Math.min(command.length * PACE.letter, PACE.command) + PACE.entered;
  const typing = { y, column: column - command.length, length: command.length };
  return [{ caption, screen, length, typing }, ...shown];
}

/** What is there for a moment, such as half of what is written by two writes, is left out. */
function lengthsOf(frames: readonly Frame[], hold: number): readonly { screen: Screen; length: number }[] {
  return frames.flatMap(({ at, screen }, index) => {
    const next = frames[index + 1];
    if (!next) return [{ screen, length: hold + PACE.idle }];
    const measured = next.at - at;
    return measured < PACE.least ? [] : [{ screen, length: Math.min(measured, PACE.most) }];
  });
}

function cursorOf({ cursor: { row, column } }: Screen): Cells {
  return { y: row, column, length: 1 };
}

function inTurn(shots: readonly Shot[]): readonly Span<Shot>[] {
  let at = 0;
  return shots.map((of) => {
    const from = at;
    at += of.length;
    return { of, from, to: at };
  });
}

/** What stays the same from one to the next becomes one. */
function joined<T>(spans: readonly Span<T>[]): readonly Span<T>[] {
  const all: Span<T>[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last && JSON.stringify(last.of) === JSON.stringify(span.of)) all[all.length - 1] = { ...last, to: span.to };
    else all.push(span);
  }
  return all;
}
