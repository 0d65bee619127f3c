/** A run whose events are lines of a file: only where they stand is kept. */
import { type FileHandle, open } from "node:fs/promises";
import { hostname } from "node:os";
import { thisSystem } from "../../../core/base/index.js";
import type { RunRow, UiEvent } from "../api/index.js";
import { Listeners } from "./listeners.js";
import type { RunEvents } from "./run-source.js";
import { RunSummaryFold } from "./run-summary.js";

/** Bytes from the beginning of the file. */
export interface LinePlace {
  readonly start: number;
  readonly end: number;
}

/** In place of a line that is not there any more; nobody knows what to make of it. */
const UNREADABLE = JSON.stringify({ type: "ui:unreadable", time: "" });
/** In one read, but for a longer line. */
const BATCH = { events: 2000, bytes: 500_000 };

export class FileRun implements RunEvents {
  readonly id: string;
  readonly #path: string;
  readonly #fold = new RunSummaryFold();
  readonly #listeners = new Listeners();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** What is said about the file, by the number of the event. */
  readonly #own = new Map<number, string>();

  constructor(id: string, path: string) {
    this.id = id;
    this.#path = path;
  }

  get count(): number {
    return this.#starts.length;
  }

  get isOver(): boolean {
    return !this.#fold.isRunning || this.#isCutOff;
  }

  /** Its process is known to be gone. What runs on another machine may go on. */
  get #isCutOff(): boolean {
    const by = this.#fold.row(false)?.by;
    return by !== undefined && by.host === hostname() && !thisSystem.exists(by.pid);
  }

  row(): RunRow | undefined {
    return this.#fold.row(this.#isCutOff);
  }

  add(event: UiEvent, { start, end }: LinePlace): void {
    this.#fold.add(event);
    this.#starts.push(start);
    this.#ends.push(end);
  }

  /** An event that is not in the file. */
  tell(event: UiEvent): void {
    this.#own.set(this.count, JSON.stringify(event));
    const end = this.#ends.at(-1) ?? 0;
    this.#starts.push(end);
    this.#ends.push(end);
  }

  /** To be called once all that was new is added. */
  changed(): void {
    this.#listeners.tell();
  }

  async read(from: number): Promise<readonly string[]> {
    const first = this.#starts[from];
    if (first === undefined) return [];
    let to = from + 1;
    while (to < this.count && to - from < BATCH.events && (this.#ends[to] ?? 0) - first <= BATCH.bytes) to++;
    const file = await open(this.#path, "r");
    try {
      const bytes = await whole(file, { start: first, end: this.#ends[to - 1] ?? first });
      return this.#starts.slice(from, to).map((start, index) => {
        const at = from + index;
        return this.#own.get(at) ?? lineIn(bytes, { start: start - first, end: (this.#ends[at] ?? start) - first });
      });
    } finally {
      await file.close();
    }
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }
}

async function whole(file: FileHandle, { start, end }: LinePlace): Promise<Buffer> {
  const bytes = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
  return bytes.subarray(0, bytesRead);
}

/** Of a file that was cut meanwhile, nothing. Line breaks between members would end an event of a stream. */
function lineIn(bytes: Buffer, { start, end }: LinePlace): string {
  const text = bytes.toString("utf8", start, end).replaceAll("\r", " ");
  try {
    JSON.parse(text);
    return text;
  } catch {
    return UNREADABLE;
  }
}
