/** The lines at the bottom of a terminal that change in place, below all that is printed. */
import { isSameList, processWide } from "../../../core/base/index.js";
import { type StreamName, type Watched, watchWrites, writeText } from "./standard-streams.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** What one run shows there. */
export interface Painter {
  /** Lines that fit into a row each; none where there is nothing to show. */
  paint(size: Size): readonly string[];
  /** Columns that a line takes. */
  width(line: string): number;
}

/** What the region needs of a terminal's stream. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export interface Terminal {
  readonly out: TerminalStream & Watched;
  readonly err: TerminalStream & Watched;
  write(name: StreamName, text: string): void;
}

/** Shows all at once; terminals that do not know it show it as it comes. */
const SYNCHRONIZED = ["\u001B[?2026h", "\u001B[?2026l"] as const;

/**
 * The cursor is never hidden, and stands at the start of the row below the region. Where somebody has printed a part
 * of a line, the region stays away until that line has its end.
 */
export class LiveRegion {
  readonly #terminal: Terminal;
  readonly #painters = new Set<Painter>();
  #shown: readonly string[] = [];
  #widths: readonly number[] = [];
  /** Lines that were printed since the region was drawn. */
  #ahead = "";
  #pauses = 0;
  #isAtStart = true;
  #isOurs = false;
  #end = (): void => {};

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Begins to show what a painter paints; the function that it gives ends that. */
  join(painter: Painter): () => void {
    if (this.#painters.size === 0) this.#begin();
    this.#painters.add(painter);
    return () => {
      if (!this.#painters.delete(painter)) return;
      if (this.#painters.size === 0) this.#close();
      else this.update();
    };
  }

  /** Paints anew. */
  update(): void {
    if (this.#painters.size === 0 || this.#pauses > 0 || !this.#isAtStart) return;
    const size = this.#size();
    const painted = [...this.#painters].flatMap((painter) => {
      return painter.paint(size).map((line) => ({ line, width: painter.width(line) }));
    });
    const lines = painted.map(({ line }) => line);
    if (isSameList(lines, this.#shown) && this.#ahead === "") return;
    const frame = lines.map((line) => `${line}\n`).join("");
    this.#write(`${this.#erasing()}${this.#taken()}${frame}`);
    this.#shown = lines;
    this.#widths = painted.map(({ width }) => width);
  }

  /** Prints a line above the region, with others that come soon. */
  print(name: StreamName, line: string): void {
    const { out, err } = this.#terminal;
    if (this.#shown.length === 0 || (name === "stderr" && !err.isTTY) || (name === "stdout" && !out.isTTY)) {
      this.#terminal.write(name, `${line}\n`);
    } else if (name === "stdout") this.#ahead += `${line}\n`;
    else this.#terminal.write(name, `${line}\n`);
  }

  /** Nothing is shown until the function that it gives is called. */
  pause(): () => void {
    this.#clear();
    this.#pauses++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#pauses--;
      // What was typed has ended the line of the question.
      this.#isAtStart = true;
    };
  }

  #begin(): void {
    const { out, err } = this.#terminal;
    this.#isAtStart = true;
    const hooks = {
      before: () => {
        if (!this.#isOurs) this.#clear();
      },
      after: (chunk: unknown) => {
        if (!this.#isOurs) this.#isAtStart = endsLine(chunk, this.#isAtStart);
      },
    };
    const unwatch = [out, err].filter(({ isTTY }) => isTTY).map((stream) => watchWrites(stream, hooks));
    const onResize = (): void => {
      this.#clear();
      this.update();
    };
    // Whoever had the terminal meanwhile has left the cursor somewhere else.
    const onResume = (): void => this.#forget();
    const onExit = (): void => this.#close();
    out.on("resize", onResize);
    process.on("SIGCONT", onResume);
    process.on("exit", onExit);
    this.#end = () => {
      for (const restore of unwatch) restore();
      out.off("resize", onResize);
      process.off("SIGCONT", onResume);
      process.off("exit", onExit);
    };
  }

  #close(): void {
    this.#painters.clear();
    this.#clear();
    this.#end();
    this.#end = () => {};
  }

  /** Takes the region away, and prints what is ahead of it. */
  #clear(): void {
    if (this.#shown.length === 0 && this.#ahead === "") return;
    this.#write(`${this.#erasing()}${this.#taken()}`);
    this.#forget();
  }

  #forget(): void {
    this.#shown = [];
    this.#widths = [];
  }

  #taken(): string {
    const ahead = this.#ahead;
    this.#ahead = "";
    return ahead;
  }

  /**
   * A terminal that has become narrower has folded the lines. Each row by itself: some terminals keep what is erased as a
   * whole from the top of the screen, as if it had scrolled out of it.
   */
  #erasing(): string {
    const { columns, rows } = this.#size();
    const up = Math.min(occupiedRows(this.#widths, columns), rows - 1);
    return up === 0 ? "" : `\r\u001B[2K${"\u001B[1A\u001B[2K".repeat(up)}`;
  }

  #size(): Size {
    const { columns, rows } = this.#terminal.out;
    // A terminal that does not know its size says 0.
    return { columns: columns || 80, rows: rows || 24 };
  }

  #write(text: string): void {
    if (text === "") return;
    this.#isOurs = true;
    try {
      this.#terminal.write("stdout", text.includes("\u001B[") ? SYNCHRONIZED.join(text) : text);
    } finally {
      this.#isOurs = false;
    }
  }
}

/** Of the process. */
export function standardRegion(): LiveRegion {
  return processWide("live-region@1", () => {
    return new LiveRegion({ out: process.stdout, err: process.stderr, write: writeText });
  });
}

/** Rows that lines take, each of which begins a row. */
function occupiedRows(widths: readonly number[], columns: number): number {
  return widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0);
}

/** True where the next text begins a line: after a line break, and whatever colours are set behind it. */
function endsLine(chunk: unknown, before: boolean): boolean {
  const text = textOf(chunk);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
  const visible = text.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, "");
  return visible === "" ? before : visible.endsWith("\n");
}

/** The end of it is enough. */
function textOf(chunk: unknown): string {
  if (typeof chunk === "string") return chunk.slice(-TAIL);
  return chunk instanceof Uint8Array ? Buffer.from(chunk.subarray(-TAIL)).toString("latin1") : "";
}

const TAIL = 200;
