/** Keeps the values of secrets out of free text: messages, log lines, the output of programs. */
import { HOUR, MINUTE, monotonicNow, perProcess } from "../../core/base/index.js";
import { encodingsOfBytes, encodingsOfText } from "./encodings.js";
import { FormIndex } from "./form-index.js";
import { leavesOf } from "./leaves.js";
import { type Forms, SHORTEST } from "./patterns.js";
import { RedactedStream } from "./redacted-stream.js";

export interface Redactor {
  /**
   * From now on the value is masked. Of a list, a Map, an object and the like: each text, number and piece of binary
   * data in it by itself, but not the keys of objects. What is shorter than four characters, or bytes, is not masked.
   * A value that nobody has made known for an hour is forgotten, but for those that were while an app lived that still does.
   */
  know(value: unknown): void;
  /**
   * The text with `***` for each known value: as it is, escaped as in JSON, a literal or markup, percent-encoded, in hex and in base64,
   * also in the midst of a longer base64 text, with the characters there that hold bits of it; of a value of several lines,
   * each line, too. One `***` for several that touch each other.
   */
  redact(text: string): string;
  /** For output that arrives in chunks. */
  stream(): RedactedStream;
  /** An app lives until the function that this gives is called. */
  hold(): () => void;
}

export function createRedactor(): Redactor {
  const values = new KnownValues();
  const index = new FormIndex(values);
  /** When apps began that live. */
  const started = new Set<{ readonly at: number }>();
  let indexed = 0;
  let looked = monotonicNow();

  const current = (): FormIndex => {
    // Whoever knows secrets need not print anything: the forms can wait.
    for (; indexed < values.count; indexed++) index.add(indexed);
    return index;
  };
  /** Where minutes have gone by, for it takes all values to be looked at. */
  const forget = (now: number): void => {
    if (now - looked < MINUTE) return;
    looked = now;
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

/** The values that are masked, each once, with the time at which it was last made known. */
class KnownValues {
  /** By number. Of binary data a character a byte. */
  #values: string[] = [];
  /** In milliseconds, without fractions: so they are no objects. */
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

  /** Characters of the value of a number. */
  sizeOf(number: number): number {
    return this.#values[number]?.length ?? 0;
  }

  /** What is to be looked for of the value of a number. */
  formsOf(number: number): Forms {
    const value = this.#values[number] ?? "";
    return this.#binaries.get(value) === number
      ? encodingsOfBytes(Buffer.from(value, "latin1"))
      : encodingsOfText(value);
  }

  /**
   * Forgets what was last made known before a time.
   *
   * @returns what gives the new number of each that stays, in the same order; undefined where all do
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

/** Of all secrets that this process has met: an output stream belongs to no single app. */
export const redactor: Redactor = {
  know: (value) => own().know(value),
  redact: (text) => own().redact(text),
  stream: () => own().stream(),
  hold: () => own().hold(),
};

/**
 * The beginning of a text. Known secrets are masked before it is cut: where the cut goes through a secret, no part of it is left.
 * A text that is short enough stays as it is.
 *
 * @param most characters
 */
export function maskedStart(text: string, most: number): string {
  // The rest of the stream may be the beginning of a secret: without `end()` it is left out.
  return text.length <= most ? text : redactor.stream().write(text.slice(0, most));
}

/** True for a text with a known secret in it. */
export function holdsKnownSecret(text: string): boolean {
  return redactor.redact(text) !== text;
}

/** From now on the text is masked, as the value of a secret is. */
export function mask(text: string): void {
  redactor.know(text);
}
