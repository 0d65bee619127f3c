/** A run whose events are kept in memory. */
import { timeOfDay } from "../../../core/base/index.js";
import type { RunRow, UiEvent } from "../api/index.js";
import { Listeners } from "./listeners.js";
import type { RunEvents } from "./run-source.js";
import { RunSummaryFold } from "./run-summary.js";

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
