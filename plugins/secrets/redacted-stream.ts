import { StringDecoder } from "node:string_decoder";
import type { Patterns } from "./patterns.js";
import { Scan } from "./scan.js";

const MASK = "***";

/** Masks text that arrives in chunks; what comes out together is what `redact` makes of the whole. */
export class RedactedStream {
  readonly #patterns: () => Patterns;
  readonly #decoder = new StringDecoder("utf8");
  /** What may be the beginning of a pattern. */
  #held = "";
  /** Where the part of the held text ends that is behind a mask already; negative: there is none just before it. */
  #hiddenTo = -1;

  /** @param patterns asked with each chunk, so that what is learnt meanwhile counts */
  constructor(patterns: () => Patterns) {
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
    if (patterns.isEmpty) return arrived;
    const text = this.#held + arrived;
    const scan = new Scan(patterns, text);
    let shown = "";
    let at = scan.next(0);
    for (; at < text.length; at = scan.next(at + 1)) {
      if (scan.end > at) {
        if (at > this.#hiddenTo) shown += text.slice(Math.max(this.#hiddenTo, 0), at) + MASK;
        this.#hiddenTo = Math.max(this.#hiddenTo, scan.end);
      }
      // All before this position is decided: no pattern that may still be completed begins there.
      if (scan.isOpen && !isLast) break;
    }
    if (at > this.#hiddenTo) shown += text.slice(Math.max(this.#hiddenTo, 0), at);
    this.#held = text.slice(at);
    this.#hiddenTo = isLast ? -1 : Math.max(this.#hiddenTo - at, -1);
    return shown;
  }
}
