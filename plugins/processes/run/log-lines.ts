/** What a process writes into its log, while it does. */
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { Redact } from "../../../core/base/index.js";
import type { EngineEvents, EventBus } from "../../../core/contract/index.js";
import { Lines } from "../../internal/text/lines.js";
import { OutputTail } from "./output-tail.js";

export interface LogReading {
  /** Aborting it ends the reading with its reason. */
  readonly signal: AbortSignal;
  /** True once nothing more is written. Asked now and then. */
  hasEnded(): boolean;
  /** Called with what makes the reader look again at once. */
  onWake?(wake: () => void): void;
  /** The process does not live on because of it. */
  readonly isBackground?: boolean;
}

/** Milliseconds until the next look, where the system does not tell of a change. */
const POLL = 500;

const CHUNK = 64 * 1024;

/** The lines of a log from its start, as they come, until nothing more is written. */
export async function* logLines(path: string, reading: LogReading): AsyncGenerator<string> {
  const lines = new Lines();
  for await (const chunk of logChunks(path, reading)) yield* lines.add(chunk);
  yield* lines.end();
}

/** As {@link logLines}, in pieces; each is good until the next is asked for. */
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
      // Asked before reading: what it wrote at last is there by then.
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

/** The last lines of a log that are not blank; none where there is no log. */
export async function lastLines(path: string, count: number): Promise<readonly string[]> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, CHUNK));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length);
    const tail = new OutputTail(CHUNK);
    // The line that the beginning went through is left out, for half a secret would not be known for one.
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

/** Tells of changes of a file, of those since the last look as well, and now and then of none. */
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
      // Too many files are watched already: the slow way has to do.
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

// Tells observers what a process writes, line by line: of one that floods, so much. All of it is in its log.

/** Characters and lines that are told of one process, and characters of one line. */
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

  /** True once no more is told. */
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
      if (this.isFull) return this.#tell("[more is in its log alone]");
    }
  }

  #tell(message: string): void {
    this.#events.emit("process:log", { ...this.#process, message });
  }
}

/** Redacts text that comes in pieces, by whole lines: so a secret that is split between two of them is found. */
export class RedactedLines {
  readonly #redact: Redact;
  readonly #lines = new Lines();

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What may be shown by now. */
  add(bytes: Buffer): string {
    const lines = this.#lines.add(bytes);
    // All at once, for what is to be hidden may have several lines.
    return lines.length > 0 ? this.#redact(`${lines.join("\n")}\n`) : "";
  }

  /** The rest. */
  end(): string {
    return this.#redact(this.#lines.end().join("\n"));
  }
}
