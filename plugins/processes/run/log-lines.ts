/** Follows the log of a process while it is written. */
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Redact } from "../../../core/base/index.js";
import type { EngineEvents, EventBus } from "../../../core/contract/index.js";
import { Lines } from "../../internal/text/lines.js";
import { OutputTail } from "./output-tail.js";

export interface LogReading {
  /** Aborting it ends the reading with its reason. */
  readonly signal: AbortSignal;
  /** Returns true if nothing more is written. Called repeatedly. */
  hasEnded(): boolean;
  /** Called with a function that makes the reader check the log at once. */
  onWake?(wake: () => void): void;
  /** The reading does not keep this process alive. */
  readonly isBackground?: boolean;
}

/** Milliseconds until the next check if the system reports no change. */
const POLL = 500;

const CHUNK = 64 * 1024;

/** Yields the lines of a log from its start until nothing more is written. */
export async function* logLines(path: string, reading: LogReading): AsyncGenerator<string> {
  const lines = new Lines();
  for await (const chunk of logChunks(path, reading)) yield* lines.add(chunk);
  yield* lines.end();
}

/** Like {@link logLines}, but in pieces. Each piece is valid only until the next one. */
export async function* logChunks(
  path: string,
  { signal, hasEnded, onWake, isBackground = false }: LogReading,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const file = await open(path, "r");
  const changes = new Changes(path, signal, isBackground);
  onWake?.(changes.wake);
  try {
    for (;;) {
      signal.throwIfAborted();
      // Checked before reading, so that the last output is read, too.
      const isLast = hasEnded();
      for (let read = await readInto(file, buffer); read > 0; read = await readInto(file, buffer)) {
        yield buffer.subarray(0, read);
        signal.throwIfAborted();
      }
      if (isLast) return;
      await changes.next();
    }
  } finally {
    changes.close();
    await file.close();
  }
}

/** Returns the last lines of a log that are not blank; none if there is no log. */
export async function lastLines(path: string, count: number): Promise<readonly string[]> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, CHUNK));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    const tail = new OutputTail(CHUNK);
    // A line that is cut at the beginning is left out, because a part of a secret is not redacted.
    const start = size > buffer.length ? buffer.indexOf("\n") + 1 || bytesRead : 0;
    tail.add(buffer.subarray(start, bytesRead));
    return tail.lines(count);
  } finally {
    await file.close();
  }
}

async function readInto(file: FileHandle, buffer: Buffer): Promise<number> {
  return (await file.read(buffer, 0, buffer.length, null)).bytesRead;
}

/** Waits for changes of a file, including those since the last wait, with a timeout. */
class Changes {
  readonly #watcher: FSWatcher | undefined;
  readonly #signal: AbortSignal;
  readonly #isBackground: boolean;
  #isNew = false;
  #wake = (): void => {};

  constructor(path: string, signal: AbortSignal, isBackground: boolean) {
    this.#signal = signal;
    this.#isBackground = isBackground;
    signal.addEventListener("abort", this.wake);
    try {
      this.#watcher = watch(path, { persistent: !isBackground }, this.wake).on("error", () => {});
    } catch {
      // Too many files are watched already, so the log is polled.
    }
  }

  readonly wake = (): void => {
    this.#isNew = true;
    this.#wake();
  };

  async next(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    if (!this.#isNew) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, POLL);
        if (this.#isBackground) timer.unref();
      });
    }
    clearTimeout(timer);
    this.#isNew = false;
  }

  close(): void {
    this.#watcher?.close();
    this.#signal.removeEventListener("abort", this.wake);
  }
}

// Events for the output of a process, line by line, up to a limit. The log contains all of it.

/** Maximum of characters and lines that are emitted for one process. */
const MOST = { characters: 1_000_000, lines: 20_000 };

const LONGEST = 16_000;

export class ProcessLines {
  readonly #events: EventBus;
  readonly #process: EngineEvents["process:started"];
  #characters = 0;
  #lines = 0;

  constructor(events: EventBus, process: EngineEvents["process:started"]) {
    this.#events = events;
    this.#process = process;
  }

  /** True if no more lines are emitted. */
  get isFull(): boolean {
    return this.#characters >= MOST.characters || this.#lines >= MOST.lines;
  }

  /** @param text whole lines, redacted */
  add(text: string): void {
    if (text === "" || this.isFull) return;
    for (const line of text.replace(/\n$/, "").split("\n")) {
      this.#tell(line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line);
      this.#characters += line.length;
      this.#lines++;
      if (this.isFull) return this.#tell("[the rest is only in the log]");
    }
  }

  #tell(message: string): void {
    this.#events.emit("process:log", { ...this.#process, message });
  }
}

/** Redacts text that comes in pieces by whole lines, so that a secret that is split between two pieces is found. */
export class RedactedLines {
  readonly #redact: Redact;
  readonly #lines = new Lines();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** Returns the complete lines, redacted. */
  add(bytes: Buffer): string {
    const lines = this.#lines.add(bytes);
    // All lines at once, because a secret may have several lines.
    return lines.length > 0 ? this.#redact(`${lines.join("\n")}\n`) : "";
  }

  /** Returns the rest, redacted. */
  end(): string {
    return this.#redact(this.#lines.end().join("\n"));
  }
}
