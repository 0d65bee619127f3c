/**
 * A terminal's stream and its screen, as far as the console writes to it: text, line breaks, and moves of the cursor.
 */
export class Screen {
  readonly isTTY = true;
  columns: number;
  rows: number;
  /** The written pieces. */
  readonly written: string[] = [];
  readonly #lines: string[] = [""];
  readonly #listeners = new Set<() => void>();
  #row = 0;
  #column = 0;
  /** Width that the stream reports once it reads its size again. */
  #unread: number | undefined;

  constructor(columns = 40, rows = 12) {
    this.columns = columns;
    this.rows = rows;
  }

  /** The visible lines, without the empty ones at the end. */
  get lines(): string[] {
    const last = this.#lines.findLastIndex((line) => line !== "");
    return this.#lines.slice(0, last + 1);
  }

  get isCursorAtStart(): boolean {
    return this.#column === 0;
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  write(chunk: string | Uint8Array): boolean {
    const text = typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    this.written.push(text);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is interpreted
    for (const [part] of text.matchAll(/\u001B\[[?0-9;]*[A-Za-z]|[^\u001B]/gsu)) this.#take(part);
    return true;
  }

  on(_event: "resize", listener: () => void): void {
    this.#listeners.add(listener);
  }

  off(_event: "resize", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  resize(columns: number): void {
    this.resizeUnread(columns);
    this._refreshSize();
  }

  /** As Node's stream: the event comes when it reads the new size. */
  _refreshSize(): void {
    if (this.#unread === undefined) return;
    this.columns = this.#unread;
    this.#unread = undefined;
    for (const listener of this.#listeners) listener();
  }

  /** Folds lines that are too long, as terminals do. The process has not got the signal yet. */
  resizeUnread(columns: number): void {
    const above = this.#lines.slice(0, this.#row).flatMap((line) => piecesOf(line, columns));
    const rest = this.#lines.slice(this.#row);
    this.#unread = columns;
    this.#lines.splice(0, this.#lines.length, ...above, ...rest);
    this.#row = above.length;
  }

  #take(part: string): void {
    if (part === "\n") {
      this.#row++;
      this.#column = 0;
      this.#lines[this.#row] ??= "";
    } else if (part === "\r") this.#column = 0;
    else if (part === "\u001B[2K") this.#lines[this.#row] = "";
    else if (part === "\u001B[1A") this.#row--;
    else if (part.startsWith("\u001B")) {
      // Colours, and switching to a synchronised update, change no text.
      if (!/(\[[0-9;]*m|\[\?2026[hl])$/.test(part)) throw new Error(`It does not know ${JSON.stringify(part)}.`);
    } else {
      const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
      this.#lines[this.#row] = `${line.slice(0, this.#column)}${part}${line.slice(this.#column + part.length)}`;
      this.#column += part.length;
      const columns = this.#unread ?? this.columns;
      const isTooLong = columns > 0 && this.#column > columns;
      if (isTooLong) throw new Error(`Longer than ${columns} columns: ${this.#lines[this.#row]}`);
    }
  }
}

function piecesOf(line: string, columns: number): string[] {
  const pieces = Math.max(1, Math.ceil(line.length / columns));
  return Array.from({ length: pieces }, (_, index) => line.slice(index * columns, (index + 1) * columns));
}
