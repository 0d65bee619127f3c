import { StringDecoder } from "node:string_decoder";
import type { FormIndex } from "./form-index.js";
import { BEFORE, BEHIND, type Group, keyOf, SHORTEST, selfOverlapsOf } from "./patterns.js";

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

/** From so many common characters on, a comparison is worth remembering. */
const DEEP = 64;

/** The last long comparison of a pattern with the text. */
interface Comparison {
  readonly start: number;
  /** How many characters they had in common. */
  readonly shared: number;
}

/** Where in one text patterns stand, from its beginning to its end. */
class Scan {
  readonly #patterns: FormIndex;
  readonly #text: string;
  readonly #deep = new Map<string, Comparison>();
  readonly #overlaps = new Map<string, Int32Array>();
  #end = 0;
  #ends = 0;
  #isOpen = false;

  constructor(patterns: FormIndex, text: string) {
    this.#patterns = patterns;
    this.#text = text;
  }

  /** End of the longest pattern at the position that was found; the position itself where none is complete. */
  get end(): number {
    return this.#end;
  }

  /** Open ends of that pattern. */
  get ends(): number {
    return this.#ends;
  }

  /** The text ends before a pattern does that begins at the position that was found. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * The next position where a pattern begins, or where one may begin whose end is not in the text any more; the
   * length of the text where there is none. Positions are to be asked for in ascending order.
   */
  next(from: number): number {
    const text = this.#text;
    let first = text.charCodeAt(from);
    let second = text.charCodeAt(from + 1);
    let third = text.charCodeAt(from + 2);
    let at = from;
    for (; at + SHORTEST <= text.length; at++) {
      const fourth = text.charCodeAt(at + SHORTEST - 1);
      const candidates = this.#patterns.withKey(keyOf(first, second, third, fourth));
      if (candidates && this.#isAmong(candidates, at)) return at;
      first = second;
      second = third;
      third = fourth;
    }
    for (; at < text.length; at++) {
      this.#end = at;
      this.#isOpen = this.#patterns.hasBeginning(text.slice(at));
      if (this.#isOpen) return at;
    }
    return text.length;
  }

  /** A search for the two neighbours that the rest of the text would have among the sorted patterns. */
  #isAmong(candidates: Group, at: number): boolean {
    const { texts } = candidates;
    const rest = this.#text.length - at;
    let low = -1;
    let high = texts.length;
    let before = -1;
    let sharedBefore = 0;
    let sharedAfter = 0;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      const candidate = texts[middle] ?? "";
      // What lies between two neighbours has in common what both have.
      const shared = this.#sharedWith(candidate, at, Math.min(sharedBefore, sharedAfter));
      if (this.#isAtOrBefore(candidate, at, shared)) {
        low = middle;
        before = middle;
        sharedBefore = shared;
      } else {
        high = middle;
        sharedAfter = shared;
      }
    }
    // All that the text begins with here are the one before it, or ones that this begins with.
    while (before >= 0 && lengthOf(texts, before) > sharedBefore) before = candidates.innerOf(before);
    this.#end = at + lengthOf(texts, before);
    this.#ends = candidates.endsOf(before);
    this.#isOpen = sharedAfter === rest;
    return before >= 0 || this.#isOpen;
  }

  #isAtOrBefore(pattern: string, at: number, shared: number): boolean {
    if (shared === pattern.length) return true;
    return at + shared < this.#text.length && pattern.charCodeAt(shared) < this.#text.charCodeAt(at + shared);
  }

  /**
   * How many characters the text has here in common with the pattern, where it is known to be at least `least`. What
   * was compared with this pattern before is not compared again, or a long "aaaa…" would cost its length at each "a".
   */
  #sharedWith(pattern: string, at: number, least: number): number {
    let shared = least;
    const last = this.#deep.size > 0 ? this.#deep.get(pattern) : undefined;
    const known = last ? last.start + last.shared - at : 0;
    if (last && known > 0) {
      const overlap = this.#overlapsOf(pattern)[at - last.start] ?? 0;
      if (overlap < known) return overlap;
      shared = Math.max(shared, known);
    }
    const most = Math.min(pattern.length, this.#text.length - at);
    while (shared < most && pattern.charCodeAt(shared) === this.#text.charCodeAt(at + shared)) shared++;
    if (shared >= DEEP) this.#deep.set(pattern, { start: at, shared });
    return shared;
  }

  #overlapsOf(pattern: string): Int32Array {
    const overlaps = this.#overlaps.get(pattern) ?? selfOverlapsOf(pattern);
    this.#overlaps.set(pattern, overlaps);
    return overlaps;
  }
}

function lengthOf(texts: readonly string[], position: number): number {
  return texts[position]?.length ?? 0;
}
