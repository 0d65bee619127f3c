/** The lines at the bottom of a terminal that change in place, below all printed lines. */
import { isSameList, processWide } from "../../../core/base/index.js";
import { type StreamName, type Watched, watchWrites, writeText } from "./standard-streams.js";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Paints the lines of one run. */
export interface Painter {
  /** Returns lines that fit into a row each; none if there is nothing to show. */
  paint(size: Size): readonly string[];
  /** Returns the columns that a line takes. */
  width(line: string): number;
}

/** The members of a terminal's stream that the region uses. */
export interface TerminalStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Node's stream: reads the size again, and emits the event if it changed. Other runtimes may not have it. */
  _refreshSize?(): void;
  on(event: "resize", listener: () => void): unknown;
  off(event: "resize", listener: () => void): unknown;
}

export interface Terminal {
  readonly out: TerminalStream & Watched;
  readonly err: TerminalStream & Watched;
  write(name: StreamName, text: string): void;
}

/** Shows the enclosed output in one step; terminals that do not support it show it as it arrives. */
const SYNCHRONIZED = ["\u001B[?2026h", "\u001B[?2026l"] as const;

/**
 * The cursor is never hidden, and stays at the start of the row below the region. If a program has printed part of a
 * line, the region disappears until that line ends.
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

  /** Adds a painter; the returned function removes it. */
  join(painter: Painter): () => void {
    if (this.#painters.size === 0) this.#begin();
    this.#painters.add(painter);
    return () => {
      if (!this.#painters.delete(painter)) return;
      if (this.#painters.size === 0) this.#close();
      else this.update();
    };
  }

  /** Repaints the region. */
  update(): void {
    if (this.#painters.size === 0 || this.#pauses > 0 || !this.#isAtStart) return;
    this.#readSize();
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

  /** Prints a line above the region, together with others that follow soon. */
  print(name: StreamName, line: string): void {
    const { out, err } = this.#terminal;
    if (this.#shown.length === 0 || (name === "stderr" && !err.isTTY) || (name === "stdout" && !out.isTTY)) {
      this.#terminal.write(name, `${line}\n`);
    } else if (name === "stdout") this.#ahead += `${line}\n`;
    else this.#terminal.write(name, `${line}\n`);
  }

  /** Hides the region until the returned function is called. */
  pause(): () => void {
    this.#clear();
    this.#pauses++;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#pauses--;
      // The typed answer has ended the line of the question.
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
    // Another program had the terminal meanwhile and moved the cursor.
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

  /** Removes the region, and prints the pending lines. */
  #clear(): void {
    if (this.#shown.length === 0 && this.#ahead === "") return;
    this.#readSize();
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
   * A terminal that became narrower has wrapped the lines. Erases each row separately: some terminals move a block that
   * is erased as a whole into the scrollback.
   */
  #erasing(): string {
    const { columns, rows } = this.#size();
    const up = Math.min(occupiedRows(this.#widths, columns), rows - 1);
    return up === 0 ? "" : `\r\u001B[2K${"\u001B[1A\u001B[2K".repeat(up)}`;
  }

  /** A busy process gets the signal of a new size late. Until then, it would erase and draw for the old one. */
  #readSize(): void {
    this.#terminal.out._refreshSize?.();
  }

  #size(): Size {
    const { columns, rows } = this.#terminal.out;
    // A terminal that does not know its size reports 0.
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

/** Returns the region of this process. */
export function standardRegion(): LiveRegion {
  return processWide("live-region@1", () => {
    return new LiveRegion({ out: process.stdout, err: process.stderr, write: writeText });
  });
}

/** Returns the rows that the lines take; each line begins a row. */
function occupiedRows(widths: readonly number[], columns: number): number {
  return widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0);
}

/** Returns true if the next text begins a line: after a line break, even if colour codes follow it. */
function endsLine(chunk: unknown, before: boolean): boolean {
  const text = textOf(chunk);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is looked for
  const visible = text.replace(/\u001B\[[0-9;?]*[A-Za-z]/g, "");
  return visible === "" ? before : visible.endsWith("\n");
}

/** The end of a chunk is enough. */
function textOf(chunk: unknown): string {
  if (typeof chunk === "string") return chunk.slice(-TAIL);
  return chunk instanceof Uint8Array ? Buffer.from(chunk.subarray(-TAIL)).toString("latin1") : "";
}

const TAIL = 200;
