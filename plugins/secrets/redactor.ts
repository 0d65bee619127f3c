/** Masks the values of secrets in free text: messages, log lines, the output of programs. */
import { HOUR, MINUTE, monotonicNow, perProcess } from "../../core/base/index.js";
import { encodingsOfBytes, encodingsOfText } from "./encodings.js";
import { FormIndex } from "./form-index.js";
import { leavesOf } from "./leaves.js";
import { type Forms, SHORTEST } from "./patterns.js";
import { RedactedStream } from "./redacted-stream.js";

export interface Redactor {
  /**
   * Masks the value from now on. In a list, a Map, an object and the like, masks each text, number and piece of binary
   * data separately, but not the keys of objects. Values under four characters or bytes are not masked. Forgets a value
   * that was not registered again for an hour, unless an app that lived at that time still lives.
   */
  know(value: unknown): void;
  /**
   * Returns the text with `***` for each known value: as it is, escaped as in JSON, a literal or markup,
   * percent-encoded, in hex and in base64. Also masks it inside longer base64, with the neighbouring characters that
   * hold bits of it, and each line of a value of several lines. Adjacent matches share one `***`.
   */
  redact(text: string): string;
  /** Masks output that arrives in chunks. */
  stream(): RedactedStream;
  /** Keeps the values of an app until the returned function is called. */
  hold(): () => void;
}

export function createRedactor(): Redactor {
  const values = new KnownValues();
  const index = new FormIndex(values);
  /** Start times of the apps that live. */
  const started = new Set<{ readonly at: number }>();
  let indexed = 0;
  let lastForgotten = monotonicNow();

  const current = (): FormIndex => {
    // Forms are built at the first output: a program with secrets may print nothing.
    for (; indexed < values.count; indexed++) index.add(indexed);
    return index;
  };
  /** At most once a minute, because it visits all values. */
  const forget = (now: number): void => {
    if (now - lastForgotten < MINUTE) return;
    lastForgotten = now;
    const before = Math.min(now - HOUR, ...[...started].map(({ at }) => at));
    const numberOf = values.forget(before);
    if (!numberOf) return;
    let left = 0;
    for (let owner = 0; owner < indexed; owner++) if (numberOf(owner) !== undefined) left++;
    indexed = left;
    index.renumber(numberOf, indexed);
  };

  return {
    know(value) {
      const now = monotonicNow();
      forget(now);
      for (const leaf of leavesOf(value)) values.add(leaf, now);
    },
    redact(text) {
      const stream = new RedactedStream(current);
      return stream.write(text) + stream.end();
    },
    stream: () => new RedactedStream(current),
    hold() {
      const beginning = { at: monotonicNow() };
      started.add(beginning);
      return () => started.delete(beginning);
    },
  };
}

/** The masked values, without duplicates, with the time when each was last registered. */
class KnownValues {
  /** By number. Binary data has one character for each byte. */
  #values: string[] = [];
  /** Whole milliseconds: V8 stores small integers without an object. */
  #seen: number[] = [];
  #texts = new Map<string, number>();
  #binaries = new Map<string, number>();

  get count(): number {
    return this.#values.length;
  }

  /** @param now milliseconds */
  add(value: string | Buffer, now: number): void {
    if (value.length < SHORTEST) return;
    const text = typeof value === "string" ? value : value.toString("latin1");
    const numbers = typeof value === "string" ? this.#texts : this.#binaries;
    const known = numbers.get(text);
    const seen = Math.floor(now);
    if (known !== undefined) {
      this.#seen[known] = seen;
      return;
    }
    numbers.set(text, this.#values.length);
    this.#values.push(text);
    this.#seen.push(seen);
  }

  /** Returns the number of characters of a value. */
  sizeOf(number: number): number {
    return this.#values[number]?.length ?? 0;
  }

  /** Returns the texts to search for. */
  formsOf(number: number): Forms {
    const value = this.#values[number] ?? "";
    return this.#binaries.get(value) === number
      ? encodingsOfBytes(Buffer.from(value, "latin1"))
      : encodingsOfText(value);
  }

  /**
   * Removes values that were last registered before a time.
   *
   * @returns a function from old to new numbers, in the same order; undefined if all values stay
   */
  forget(before: number): ((number: number) => number | undefined) | undefined {
    if (!this.#seen.some((seen) => seen < before)) return undefined;
    const numbers = new Int32Array(this.count).fill(-1);
    const left = new KnownValues();
    for (const [number, value] of this.#values.entries()) {
      const seen = this.#seen[number] ?? 0;
      if (seen < before) continue;
      numbers[number] = left.count;
      left.add(this.#binaries.get(value) === number ? Buffer.from(value, "latin1") : value, seen);
    }
    this.#values = left.#values;
    this.#seen = left.#seen;
    this.#texts = left.#texts;
    this.#binaries = left.#binaries;
    return (number) => {
      const next = numbers[number] ?? -1;
      return next < 0 ? undefined : next;
    };
  }
}

const own = perProcess("redactor@2", createRedactor);

/** Masks all secrets of this process: an output stream does not belong to one app. */
export const redactor: Redactor = {
  know: (value) => own().know(value),
  redact: (text) => own().redact(text),
  stream: () => own().stream(),
  hold: () => own().hold(),
};

/**
 * Returns the beginning of a text. Masks known secrets before the cut, so that a cut inside a secret leaves no part of
 * it. A shorter text stays as it is.
 *
 * @param most characters
 */
export function maskedStart(text: string, most: number): string {
  // Without `end()`, the stream leaves out a tail that may be the beginning of a secret.
  return text.length <= most ? text : redactor.stream().write(text.slice(0, most));
}

/** Returns true for a text that contains a known secret. */
export function holdsKnownSecret(text: string): boolean {
  return redactor.redact(text) !== text;
}

/** Masks the text from now on, like the value of a secret. */
export function mask(text: string): void {
  redactor.know(text);
}
