/** Keeps the values of secrets out of free text: messages, log lines, the output of programs. */
import { encodingsOfBytes, encodingsOfText } from "./encodings.js";
import { leavesOf } from "./leaves.js";
import { Patterns, SHORTEST } from "./patterns.js";
import { RedactedStream } from "./redacted-stream.js";

export interface Redactor {
  /**
   * From now on the value is masked. Of a list, a Map, an object and the like: each text, number and piece of binary
   * data in it by itself, but not the keys of objects. What is shorter than four characters, or bytes, is not masked.
   */
  know(value: unknown): void;
  /**
   * The text with `***` for each known value: as it is, escaped as in a literal, percent-encoded, in hex and in base64,
   * also in the midst of a longer base64 text; of a value of several lines, each line, too. One `***` for several that
   * touch each other.
   */
  redact(text: string): string;
  /** For output that arrives in chunks. */
  stream(): RedactedStream;
}

export function createRedactor(): Redactor {
  const patterns = new Patterns();
  const texts = new Set<string>();
  /** Latin-1: a character a byte. */
  const binaries = new Set<string>();
  // Whoever knows secrets need not print anything: the encodings can wait.
  let unread: (() => ReadonlySet<string>)[] = [];

  const knowText = (text: string): void => {
    if (text.length < SHORTEST || texts.has(text)) return;
    texts.add(text);
    unread.push(() => encodingsOfText(text));
  };
  const knowBytes = (bytes: Buffer): void => {
    if (bytes.length < SHORTEST) return;
    const binary = bytes.toString("latin1");
    if (binaries.has(binary)) return;
    binaries.add(binary);
    unread.push(() => encodingsOfBytes(Buffer.from(binary, "latin1")));
  };
  const current = (): Patterns => {
    for (const encodings of unread) for (const encoding of encodings()) patterns.add(encoding);
    unread = [];
    return patterns;
  };

  return {
    know(value) {
      for (const leaf of leavesOf(value)) {
        if (typeof leaf === "string") knowText(leaf);
        else knowBytes(leaf);
      }
    },
    redact(text) {
      const stream = new RedactedStream(current);
      return stream.write(text) + stream.end();
    },
    stream: () => new RedactedStream(current),
  };
}
