/** Reads a file with the output of `--json` as it grows. */
import { type FileHandle, open, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { basename } from "node:path";
import { isAbsence, thisSystem, timeOfDay } from "../../../core/base/index.js";
import type { RunRow, UiEvent } from "../api/index.js";
import { eventIn } from "../model/index.js";
import { type RunEvents, RunSummaryFold } from "./kept-run.js";
import { Listeners } from "./listeners.js";

/** Bytes of one read. */
const CHUNK = 1 << 20;

/** A longer line is not an event. */
const LONGEST = 16 << 20;

/** The most malformed lines that are reported. */
const MOST_TOLD = 10;

/** The most events before the file names its run. */
const MOST_EARLY = 1000;

const LINE_BREAK = 10;

interface PlacedEvent extends LinePlace {
  readonly event: UiEvent;
}

export class FollowedFile {
  readonly path: string;
  runs: FileRun[] = [];
  /** Number of lines that are not events. */
  malformed = 0;
  #early: PlacedEvent[] = [];
  /** The run that began last and has not ended, by app and stage. */
  readonly #open = new Map<string, FileRun>();
  /** Start of the line that has not been read to its end. */
  #line = 0;
  #number = 0;
  #at = 0;
  #rest: Buffer[] = [];
  #identity = "";

  constructor(path: string) {
    this.path = path;
  }

  /** Reads new lines. Does nothing if the file is gone. */
  async follow(): Promise<void> {
    const found = await stat(this.path).catch((error: unknown) => {
      if (isAbsence(error)) return undefined;
      throw error;
    });
    if (!found?.isFile()) return;
    const identity = `${found.dev}:${found.ino}`;
    if (identity !== this.#identity || found.size < this.#at) this.#begin(identity);
    if (found.size === this.#at) return;
    await this.#readUpTo(found.size);
    for (const run of this.runs) run.changed();
  }

  /** Starts again with another file of this name, or with a truncated one. */
  #begin(identity: string): void {
    this.#identity = identity;
    [this.runs, this.#early, this.#rest] = [[], [], []];
    this.#open.clear();
    [this.#line, this.#number, this.#at, this.malformed] = [0, 0, 0, 0];
  }

  async #readUpTo(size: number): Promise<void> {
    const file = await open(this.path, "r");
    try {
      while (this.#at < size) {
        const chunk = Buffer.alloc(Math.min(CHUNK, size - this.#at));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, this.#at);
        if (bytesRead === 0) return;
        this.#take(chunk.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, from)) {
      this.#rest.push(chunk.subarray(from, end));
      const place = { start: this.#line, end: this.#at + end };
      this.#lineEnded(Buffer.concat(this.#rest).toString(), place);
      this.#rest = [];
      this.#line = place.end + 1;
      from = end + 1;
    }
    this.#at += chunk.length;
    // A line that is too long is dropped, except for its start, which reports it.
    if (this.#at - this.#line <= LONGEST) this.#rest.push(chunk.subarray(from));
  }

  #lineEnded(text: string, place: LinePlace): void {
    this.#number++;
    if (text.trim() === "") return;
    const event = place.end - place.start > LONGEST ? undefined : eventIn(text);
    if (event) this.#add({ event, ...place });
    else this.#tellMalformed();
  }

  #add(placed: PlacedEvent): void {
    const { event } = placed;
    const run = event.type === "run:started" ? this.#started(event) : this.#runOf(event);
    if (run) run.add(event, placed);
    else if (this.#early.length < MOST_EARLY) this.#early.push(placed);
    if (run && ["run:finished", "run:failed", "run:repeated"].includes(event.type)) this.#open.delete(placeOf(event));
  }

  #started(event: UiEvent): FileRun | undefined {
    if (typeof event.run !== "string") return undefined;
    const run = new FileRun(event.run, this.path);
    for (const { event: one, ...place } of this.#early.splice(0)) run.add(one, place);
    this.runs.push(run);
    this.#open.set(placeOf(event), run);
    return run;
  }

  /** Finds the run by the id in the event, or by the stage of its resource; otherwise the run that began last. */
  #runOf(event: UiEvent): FileRun | undefined {
    const named = typeof event.run === "string" ? this.runs.findLast(({ id }) => id === event.run) : undefined;
    return named ?? this.#open.get(placeOf(event)) ?? [...this.#open.values()].at(-1) ?? this.runs.at(-1);
  }

  #tellMalformed(): void {
    this.malformed++;
    const run = this.runs.at(-1);
    if (!run || this.malformed > MOST_TOLD) return;
    const more = this.malformed === MOST_TOLD ? " Further lines are not reported." : "";
    const message = `Line ${this.#number} of "${basename(this.path)}" is not an event and was left out.${more}`;
    run.tell({ type: "warning", time: timeOfDay(), code: "UI_MALFORMED_LINE", message });
  }
}

/** Returns app and stage as the event names them, or from the name of its resource. */
function placeOf({ app, stage, fqn }: UiEvent): string {
  if (typeof app === "string" && typeof stage === "string") return `${app}/${stage}`;
  return typeof fqn === "string" ? fqn.split("/", 2).join("/") : "";
}

/** Bytes from the beginning of the file. */
interface LinePlace {
  readonly start: number;
  readonly end: number;
}

/** Replaces a line that does not exist any more; readers ignore its type. */
const UNREADABLE = JSON.stringify({ type: "ui:unreadable", time: "" });

/** Limits of one read; a longer line is read alone. */
const BATCH = { events: 2000, bytes: 500_000 };

class FileRun implements RunEvents {
  readonly id: string;
  readonly #path: string;
  readonly #fold = new RunSummaryFold();
  readonly #listeners = new Listeners();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Messages about the file, by the number of the event. */
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

  /** True if its process is known to be gone. A process of another machine may continue. */
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

  /** Adds an event that is not in the file. */
  tell(event: UiEvent): void {
    this.#own.set(this.count, JSON.stringify(event));
    const end = this.#ends.at(-1) ?? 0;
    this.#starts.push(end);
    this.#ends.push(end);
  }

  /** Call it once all new events are added. */
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

/**
 * Returns a placeholder if the file was truncated since. Line breaks between members would end an event of a stream.
 */
function lineIn(bytes: Buffer, { start, end }: LinePlace): string {
  const text = bytes.toString("utf8", start, end).replaceAll("\r", " ");
  try {
    JSON.parse(text);
    return text;
  } catch {
    return UNREADABLE;
  }
}
