import type { FormIndex } from "./form-index.js";
import { type Group, keyOf, SHORTEST, selfOverlapsOf } from "./patterns.js";

/** From so many common characters on, a comparison is worth remembering. */
const DEEP = 64;

/** The last long comparison of a pattern with the text. */
interface Comparison {
  readonly start: number;
  /** How many characters they had in common. */
  readonly shared: number;
}

/** Where in one text patterns stand, from its beginning to its end. */
export class Scan {
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
