/** Keeps the values of secrets out of free text: messages, log lines, the output of programs. */
import { HOUR, MINUTE, monotonicNow } from "../../core/base/index.js";
import { FormIndex } from "./form-index.js";
import { KnownValues } from "./known-values.js";
import { leavesOf } from "./leaves.js";
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
