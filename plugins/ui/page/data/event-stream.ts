/** Reads server-sent events out of the parts in which they arrive. Pure. */

export interface StreamedEvent {
  /** `message`, where it has no name. */
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

export class EventStreamReader {
  #rest: readonly string[] = [];
  #isAfterBreak = false;

  /** Those that are whole by now. */
  read(part: string): readonly StreamedEvent[] {
    // An end may be in two parts: one break at the end of one, one at the beginning of the next.
    if (this.#isAfterBreak && part.startsWith("\n")) return [...this.#ended(), ...this.read(part.slice(1))];
    this.#isAfterBreak = false;
    const [first = "", ...others] = part.split("\n\n");
    this.#rest = [...this.#rest, first];
    const events = others.flatMap((text) => {
      const ended = this.#ended();
      this.#rest = [text];
      return ended;
    });
    this.#isAfterBreak = (this.#rest.at(-1) ?? "").endsWith("\n");
    return events;
  }

  #ended(): readonly StreamedEvent[] {
    const text = this.#rest.join("");
    [this.#rest, this.#isAfterBreak] = [[], false];
    const fields = new Map<string, string>();
    for (const line of text.split("\n")) {
      const at = line.indexOf(":");
      if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ""));
    }
    const data = fields.get("data");
    if (data === undefined) return [];
    return [{ event: fields.get("event") ?? "message", id: fields.get("id") ?? "", data }];
  }
}
