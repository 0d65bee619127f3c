import { StringDecoder } from "node:string_decoder";
import type { Redact } from "../redaction.js";

/** Characters of an unfinished line that wait for its end. */
const LONGEST = 64 * 1024;
/** A secret that is no longer than this is found, also in a line that is longer than what waits. */
const MARGIN = 16 * 1024;
/** Characters between two places where a long line may be cut, and how many are tried. */
const [STEP, TRIES] = [61, 64];

/** Redacts text that comes in pieces, by whole lines: so a secret that is split between two of them is found. */
export class RedactedLines {
  readonly #redact: Redact;
  readonly #decoder = new StringDecoder("utf8");
  #held = "";
  /** The rest of the line is left out. */
  #isLeftOut = false;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  /** What may be shown by now. */
  add(bytes: Buffer): string {
    this.#held += this.#decoder.write(bytes);
    if (this.#isLeftOut && !this.#nextLine()) return "";
    const shown = this.#take(this.#held.lastIndexOf("\n") + 1);
    return this.#held.length > LONGEST ? shown + this.#cut() : shown;
  }

  /** The rest. */
  end(): string {
    this.#held += this.#decoder.end();
    if (this.#isLeftOut && !this.#nextLine()) return "";
    return this.#take(this.#held.length);
  }

  #take(count: number): string {
    if (count === 0) return "";
    const text = this.#redact(this.#held.slice(0, count));
    this.#held = this.#held.slice(count);
    return text;
  }

  /** A part of a line that does not end: where nothing is hidden across the cut, the parts give what the whole gives. */
  #cut(): string {
    const held = this.#held;
    const whole = this.#redact(held);
    for (let tried = 0; tried < TRIES; tried++) {
      const at = beforePair(held, held.length - MARGIN - tried * STEP);
      if (this.#redact(held.slice(0, at)) + this.#redact(held.slice(at)) === whole) return this.#take(at);
    }
    // One thing to hide after the other: nobody can tell where the last of them ends.
    this.#held = "";
    this.#isLeftOut = true;
    return "***";
  }

  /** False: the line that is left out goes on. */
  #nextLine(): boolean {
    const end = this.#held.indexOf("\n");
    this.#held = end < 0 ? "" : this.#held.slice(end);
    this.#isLeftOut = end < 0;
    return end >= 0;
  }
}

/** Not between the halves of a character. */
function beforePair(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text[at] ?? "") ? at - 1 : at;
}
