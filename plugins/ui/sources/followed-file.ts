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

  /**
   * Reads new lines. A run is cut off only after a read that began once its process had ended: its last lines may have
   * been on their way.
   */
  async follow(): Promise<void> {
    for (;;) {
      const ended = this.runs.filter((run) => run.hasEndedSilently);
      await this.#readNew();
      for (const run of ended) run.cutOff();
      if (!this.runs.some((run) => run.hasEndedSilently && !run.isCutOff)) return;
    }
  }

  /** Does nothing if the file is gone. */
  async #readNew(): Promise<void> {
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

/** Milliseconds without an event, after which a run of another machine is silent. */
const SILENCE = 120_000;

class FileRun implements RunEvents {
  readonly id: string;
  readonly #path: string;
  readonly #fold = new RunSummaryFold();
  readonly #listeners = new Listeners();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Messages about the file, by the number of the event. */
  readonly #own = new Map<number, string>();
  /** Milliseconds since 1970; undefined until a line was added after the first read. */
  #grownAt: number | undefined;
  #isRead = false;
  #isCutOff = false;

  constructor(id: string, path: string) {
    this.id = id;
    this.#path = path;
  }

  get count(): number {
    return this.#starts.length;
  }

  /** More lines may come even after its process has ended, e.g. from a pipe. */
  get isOver(): boolean {
    return !this.#fold.isRunning;
  }

  /** True if its process is known to be gone, and no line has reported the end of the run. */
  get hasEndedSilently(): boolean {
    const by = this.#fold.isRunning ? this.#fold.row("running")?.by : undefined;
    return by !== undefined && by.host === hostname() && !thisSystem.exists(by.pid);
  }

  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  cutOff(): void {
    this.#isCutOff = true;
  }

  row(): RunRow | undefined {
    return this.#fold.row(this.#isCutOff ? "cut off" : this.#isSilent ? "silent" : "running");
  }

  /** The process of another machine may continue, but nothing shows that it does. */
  get #isSilent(): boolean {
    const by = this.#fold.row("running")?.by;
    if (by === undefined || by.host === hostname()) return false;
    return Date.now() - (this.#grownAt ?? this.#fold.heardAt) > SILENCE;
  }

  add(event: UiEvent, { start, end }: LinePlace): void {
    this.#isCutOff = false;
    if (this.#isRead) this.#grownAt = Date.now();
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
    this.#isRead = true;
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
