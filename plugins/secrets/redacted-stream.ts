import { StringDecoder } from "node:string_decoder";
import type { FormIndex } from "./form-index.js";
import { BEFORE, BEHIND } from "./patterns.js";
import { Scan } from "./scan.js";

const MASK = "***";

/** Masks text that arrives in chunks; what comes out together is what `redact` makes of the whole. */
export class RedactedStream {
  readonly #patterns: () => FormIndex;
  readonly #decoder = new StringDecoder("utf8");
  /** What may be the beginning of a pattern. */
  #held = "";
  /** Where the part of the held text ends that is behind a mask already; negative: there is none just before it. */
  #hiddenTo = -1;
  /** What is hidden goes on for a character more, if that is one of base64. */
  #goesOn = false;

  /** @param patterns asked with each chunk, so that what is learnt meanwhile counts */
  constructor(patterns: () => FormIndex) {
    this.#patterns = patterns;
  }

  /** What may be shown by now. Bytes are UTF-8. */
  write(chunk: Uint8Array | string): string {
    const text = typeof chunk === "string" ? this.#decoder.end() + chunk : this.#decoder.write(chunk);
    return this.#show(text, false);
  }

  /** The rest. */
  end(): string {
    return this.#show(this.#decoder.end(), true);
  }

  #show(arrived: string, isLast: boolean): string {
    const patterns = this.#patterns();
    if (patterns.isEmpty && this.#held === "") return arrived;
    const text = this.#held + arrived;
    if (this.#goesOn && arrived !== "") {
      this.#goesOn = false;
      if (isOfBase64(text, this.#hiddenTo)) this.#hiddenTo++;
    }
    const scan = new Scan(patterns, text);
    let shown = "";
    let at = scan.next(0);
    for (; at < text.length; at = scan.next(at + 1)) {
      if (scan.end > at) {
        const from = (scan.ends & BEFORE) !== 0 && isOfBase64(text, at - 1) ? at - 1 : at;
        if (from > this.#hiddenTo) shown += text.slice(Math.max(this.#hiddenTo, 0), from) + MASK;
        this.#hideTo(scan.end, (scan.ends & BEHIND) !== 0, text);
      }
      // All before this position is decided: no pattern that may still be completed begins there.
      if (scan.isOpen && !isLast) break;
    }
    // Of base64 the last character may hold bits of what comes.
    const end = !isLast && isOfBase64(text, at - 1) ? at - 1 : at;
    if (end > this.#hiddenTo) shown += text.slice(Math.max(this.#hiddenTo, 0), end);
    this.#held = text.slice(end);
    this.#hiddenTo = isLast ? -1 : Math.max(this.#hiddenTo - end, -1);
    return shown;
  }

  #hideTo(end: number, isOpen: boolean, text: string): void {
    const to = isOpen && isOfBase64(text, end) ? end + 1 : end;
    if (to < this.#hiddenTo) return;
    this.#hiddenTo = to;
    this.#goesOn = isOpen && end === text.length;
  }
}

function isOfBase64(text: string, at: number): boolean {
  return OF_BASE64.test(text.charAt(at));
}

const OF_BASE64 = /^[A-Za-z0-9+/_-]$/;
