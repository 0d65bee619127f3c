/** Writes the events of runs into a folder, a file for each run. The folder stays bounded, and no run waits for it. */
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../../core/base/index.js";
import type { EventSource } from "../../../core/contract/index.js";
import { plainJson } from "../../internal/text/plain-text.js";
import type { UiEvent } from "../api/index.js";

/** Version of the event schema, as in the output of `--json`. */
const SCHEMA = 1;

/** The most events before an app names its run. */
const MOST_EARLY = 1000;

export interface WriteLimits {
  /** Characters of a run. From here on, lines of handlers and processes are dropped. */
  readonly logs: number;
  /** Characters of a run. From here on, all events except the end of the run are dropped. */
  readonly all: number;
  /** The most runs in the folder, and their bytes; the oldest are removed first. */
  readonly runs: number;
  readonly bytes: number;
}

const LIMITS: WriteLimits = { logs: 8_000_000, all: 64_000_000, runs: 100, bytes: 256_000_000 };

/** Names that this module gives to files: it removes no others. */
const OWN = /^\d{8}T\d{9}Z-[\w-]{8,64}\.ndjson$/;

export interface RunFolder {
  readonly folder: string;
  /** Called once if events cannot be written; no more are written then. */
  failed(message: string): void;
  /** Default: about a hundred runs. */
  readonly limits?: WriteLimits;
}

/**
 * Writes the runs of an app from now on. Their events come redacted, and contain no props, outputs or secrets.
 *
 * @throws the system's error if the folder cannot be created
 */
export function writeRuns(events: EventSource, { folder, failed, limits = LIMITS }: RunFolder): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const early: UiEvent[] = [];
  let file: RunFile | undefined;
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      file = undefined;
      isFailed = true;
      failed(messageOf(error));
    }
  };
  let isFailed = false;
  events.on("*", (_type, told) => {
    if (isFailed) return;
    const event: UiEvent = { ...told };
    if (told.type === "run:started") {
      const { run, time } = told;
      attempt(() => {
        file?.flush();
        prune(folder, limits);
        file = new RunFile(join(folder, nameOf(run, time)), limits, attempt);
        for (const one of early.splice(0)) file.add(one);
      });
    }
    if (file) file.add(event);
    else if (early.length < MOST_EARLY) early.push(event);
  });
}

function nameOf(run: string, time: string): string {
  return `${time.replaceAll(/[-:.]/g, "")}-${run}.ndjson`;
}

class RunFile {
  readonly #path: string;
  readonly #limits: WriteLimits;
  readonly #attempt: (write: () => void) => void;
  readonly #waiting: string[] = [];
  #size = 0;
  #isTold = false;

  constructor(path: string, limits: WriteLimits, attempt: (write: () => void) => void) {
    [this.#path, this.#limits, this.#attempt] = [path, limits, attempt];
    process.once("exit", this.#flushed);
  }

  add(event: UiEvent): void {
    if (this.#isDropped(event)) {
      if (!this.#isTold)
        this.#write({ type: "warning", time: event.time, code: "UI_EVENTS_DROPPED", message: DROPPED });
      this.#isTold = true;
      return;
    }
    this.#write(event);
    if (/^run:(finished|failed|repeated)$/.test(event.type)) {
      process.off("exit", this.#flushed);
      this.#flushed();
    }
  }

  /** Writes all events so far, in one piece. */
  flush(): void {
    const text = this.#waiting.splice(0).join("");
    if (text !== "") appendFileSync(this.#path, text, { mode: 0o600 });
  }

  readonly #flushed = (): void => this.#attempt(() => this.flush());

  #write(event: UiEvent): void {
    const line = `${plainJson({ v: SCHEMA, ...event })}\n`;
    this.#size += line.length;
    // All events of one turn are written at once.
    if (this.#waiting.push(line) === 1) setImmediate(this.#flushed);
  }

  #isDropped({ type }: UiEvent): boolean {
    if (type.startsWith("run:")) return false;
    if (this.#size >= this.#limits.all) return true;
    return (type === "resource:log" || type === "process:log") && this.#size >= this.#limits.logs;
  }
}

const DROPPED = "Further events of this run were not kept: it has emitted too many.";

/** Removes the oldest runs, so that there is room for another one. */
function prune(folder: string, { runs, bytes }: WriteLimits): void {
  const names = readdirSync(folder).filter((name) => OWN.test(name));
  // Names begin with the time.
  const newest = names.sort().reverse();
  let size = 0;
  newest.forEach((name, index) => {
    const path = join(folder, name);
    size += statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (index + 1 >= runs || size > bytes) rmSync(path, { force: true });
  });
}
