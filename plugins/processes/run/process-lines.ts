/** Tells observers what a process writes, line by line: of one that floods, so much. All of it is in its log. */
import type { EngineEvents, EventBus } from "../../../core/contract/index.js";

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
