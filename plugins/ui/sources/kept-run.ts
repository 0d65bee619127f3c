/** A run whose events are kept in memory. */
import { timeOfDay } from "../../../core/base/index.js";
import type { Answer, RunRow, UiEvent } from "../api/index.js";
import { emptyView, reduce, runRowOf } from "../model/index.js";
import { Listeners } from "./listeners.js";

/** Characters of a run's events. */
export interface KeptLimits {
  /** From here on no lines that handlers and processes write are kept. */
  readonly logs: number;
  /** From here on nothing is kept but the end of the run, and what is asked. */
  readonly all: number;
}

const LIMITS: KeptLimits = { logs: 64_000_000, all: 256_000_000 };

/** Characters of a line that a handler or a process has written. */
const LONGEST_LINE = 16_000;

/** In one read. */
const BATCH = { events: 2000, size: 500_000 };

/** Holds no resource, however many events it is given. */
export class RunSummaryFold {
  readonly #view = emptyView();
  #last: UiEvent | undefined;

  add(event: UiEvent): void {
    if (event.type.startsWith("run:")) reduce(this.#view, event);
    else this.#last = event;
  }

  get id(): string | undefined {
    return this.#view.head?.run;
  }

  get isRunning(): boolean {
    return this.#view.state === "running";
  }

  /** @param isCutOff nothing more will come, though its end was not told */
  row(isCutOff: boolean): RunRow | undefined {
    const row = runRowOf(this.#view);
    if (row?.state !== "running" || !isCutOff) return row;
    const duration = Date.parse(this.#last?.time ?? row.since) - Date.parse(row.since);
    return { ...row, state: "cut off", ...(duration >= 0 ? { duration } : {}) };
  }
}

export class KeptRun implements RunEvents {
  readonly id: string;
  readonly #limits: KeptLimits;
  readonly #fold = new RunSummaryFold();
  readonly #listeners = new Listeners();
  readonly #lines: string[] = [];
  #size = 0;
  #isClosed = false;
  readonly #isTold = { logs: false, all: false };

  constructor(id: string, limits: KeptLimits = LIMITS) {
    this.id = id;
    this.#limits = limits;
  }

  get count(): number {
    return this.#lines.length;
  }

  /** Characters that are kept. */
  get size(): number {
    return this.#size;
  }

  get isOver(): boolean {
    return this.#isClosed || (this.#fold.id !== undefined && !this.#fold.isRunning);
  }

  row(): RunRow | undefined {
    return this.#fold.row(this.#isClosed);
  }

  add(event: UiEvent): void {
    this.#fold.add(event);
    const dropped = this.#dropped(event);
    if (dropped === undefined) this.#keep(event);
    else if (!this.#isTold[dropped]) {
      this.#isTold[dropped] = true;
      this.#keep(droppedFrom(dropped));
    }
    this.#listeners.tell();
  }

  /** No more events come. */
  close(): void {
    this.#isClosed = true;
    this.#listeners.tell();
  }

  async read(from: number): Promise<readonly string[]> {
    let to = from;
    for (let size = 0; to < this.#lines.length && to - from < BATCH.events && size < BATCH.size; to++) {
      size += this.#lines[to]?.length ?? 0;
    }
    return this.#lines.slice(from, to);
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener);
  }

  #dropped({ type }: UiEvent): "logs" | "all" | undefined {
    if (type.startsWith("run:") || type.startsWith("ui:")) return undefined;
    if (this.#size >= this.#limits.all) return "all";
    return isLine(type) && this.#size >= this.#limits.logs ? "logs" : undefined;
  }

  #keep(event: UiEvent): void {
    const line = JSON.stringify(shortened(event));
    this.#size += line.length;
    this.#lines.push(line);
  }
}

function isLine(type: string): boolean {
  return type === "resource:log" || type === "process:log";
}

function shortened(event: UiEvent): UiEvent {
  const { message } = event;
  if (!isLine(event.type) || typeof message !== "string" || message.length <= LONGEST_LINE) return event;
  return { ...event, message: `${message.slice(0, LONGEST_LINE)}… (${message.length - LONGEST_LINE} more characters)` };
}

function droppedFrom(what: "logs" | "all"): UiEvent {
  const kept =
    what === "logs"
      ? "No more lines that handlers and processes write are kept"
      : "No more events but its end are kept";
  const message = `${kept} for the page: this run has told too much.`;
  return { type: "warning", time: timeOfDay(), code: "UI_EVENTS_DROPPED", message };
}

/** The events of a run, of which more may come. */
export interface RunEvents {
  readonly id: string;
  /** So many there are by now. What has a number keeps it. */
  readonly count: number;
  /** No more will come. */
  readonly isOver: boolean;
  /** Undefined where no event has said yet which run it is. */
  row(): RunRow | undefined;
  /** Events as JSON, from one on: as many as can be had at once, and one at least where there is one. */
  read(from: number): Promise<readonly string[]>;
  /** Calls the listener whenever there are more, or no more to come, until what it gives is called. */
  onChange(listener: () => void): () => void;
}

export interface RunSource {
  /** The newest first. */
  rows(): readonly RunRow[];
  run(id: string): RunEvents | undefined;
  /** False where that is not asked, or not any more. */
  answer(id: string, answer: Answer): boolean;
  close(): void;
}

export function newestFirst(rows: readonly (RunRow | undefined)[]): readonly RunRow[] {
  const known = rows.filter((row) => row !== undefined);
  return known.sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

/** Several sources as one; what is asked for by its id is in the first that has it. */
export function allRuns(sources: readonly RunSource[]): RunSource {
  return {
    rows: () => newestFirst(sources.flatMap((source) => source.rows())),
    run: (id) => sources.map((source) => source.run(id)).find((run) => run !== undefined),
    answer: (id, answer) => sources.some((source) => source.answer(id, answer)),
    close: () => {
      for (const source of sources) source.close();
    },
  };
}
