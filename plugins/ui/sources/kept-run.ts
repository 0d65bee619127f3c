/** A run whose events are kept in memory. */
import { timeOfDay } from "../../../core/base/index.js";
import type { Answer, RunRow, UiEvent } from "../api/index.js";
import { emptyView, reduce, runRowOf } from "../model/index.js";
import { Listeners } from "./listeners.js";

/** Characters of a run's events. */
export interface KeptLimits {
  /** From here on, lines of handlers and processes are dropped. */
  readonly logs: number;
  /** From here on, all events except questions and the end of the run are dropped. */
  readonly all: number;
}

const LIMITS: KeptLimits = { logs: 64_000_000, all: 256_000_000 };

/** Longest line of a handler or process in characters. */
const LONGEST_LINE = 16_000;

/** Limits of one read. */
const BATCH = { events: 2000, size: 500_000 };

/** Summarises a run without its resources, for any number of events. */
export class RunSummaryFold {
  readonly #view = emptyView();
  #last: UiEvent | undefined;

  add(event: UiEvent): void {
    if (event.type.startsWith("run:") || event.type.startsWith("ui:")) reduce(this.#view, event);
    this.#last = event;
    if (event.type === "resource:looked") this.#view.toLook ??= 0;
    if (event.type === "resource:drifted") this.#view.drifted++;
  }

  get id(): string | undefined {
    return this.#view.head?.run;
  }

  get isRunning(): boolean {
    return this.#view.state === "running";
  }

  /** Time of the last event, in milliseconds since 1970. */
  get heardAt(): number {
    return Date.parse(this.#last?.time ?? "");
  }

  /** @param state of a run that has not reported its end */
  row(state: "running" | "cut off" | "silent"): RunRow | undefined {
    const row = runRowOf(this.#view);
    if (row?.state !== "running" || state === "running") return row;
    const duration = this.heardAt - Date.parse(row.since);
    return { ...row, state, ...(duration >= 0 ? { duration } : {}) };
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

  /** Kept characters. */
  get size(): number {
    return this.#size;
  }

  get isOver(): boolean {
    return this.#isClosed || (this.#fold.id !== undefined && !this.#fold.isRunning);
  }

  row(): RunRow | undefined {
    return this.#fold.row(this.#isClosed ? "cut off" : "running");
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

  /** Marks the end of the events. */
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
      ? "The page keeps no more lines of handlers and processes"
      : "The page keeps no more events except the end of the run";
  const message = `${kept}: this run has emitted too many events.`;
  return { type: "warning", time: timeOfDay(), code: "UI_EVENTS_DROPPED", message };
}

/** The events of a run; more may come. */
export interface RunEvents {
  readonly id: string;
  /** Number of events by now. An event keeps its number. */
  readonly count: number;
  /** True if no more events will come. */
  readonly isOver: boolean;
  /** Returns undefined until an event has named the run. */
  row(): RunRow | undefined;
  /** Returns events as JSON from a number on: as many as one read allows, and at least one if there is one. */
  read(from: number): Promise<readonly string[]>;
  /** Calls the listener when there are more events, or no more will come, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

export interface RunSource {
  /** The newest first. */
  rows(): readonly RunRow[];
  run(id: string): RunEvents | undefined;
  /** Returns false if no such question is open. */
  answer(id: string, answer: Answer): boolean;
  close(): void;
}

export function newestFirst(rows: readonly (RunRow | undefined)[]): readonly RunRow[] {
  const known = rows.filter((row) => row !== undefined);
  return known.sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

/** Combines several sources; an id is searched in the first source that has it. */
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
