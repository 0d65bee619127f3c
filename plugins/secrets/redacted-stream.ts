import { StringDecoder } from "node:string_decoder";
import type { FormIndex } from "./form-index.js";
import { BEFORE, BEHIND, type Group, keyOf, SHORTEST, selfOverlapsOf } from "./patterns.js";

const MASK = "***";

/** Masks text that arrives in chunks. The joined output equals `redact` of the whole text. */
export class RedactedStream {
  readonly #patterns: () => FormIndex;
  readonly #decoder = new StringDecoder("utf8");
  /** Text that may be the beginning of a pattern. */
  #held = "";
  /** End of the part of the held text that is already masked; negative if no mask precedes it. */
  #hiddenTo = -1;
  /** The masked part grows by one more character if that is base64. */
  #goesOn = false;

  /** @param patterns called with each chunk, so that secrets that were added since count */
  constructor(patterns: () => FormIndex) {
    this.#patterns = patterns;
  }

  /** Returns the text that may be shown by now. Bytes are UTF-8. */
  write(chunk: Uint8Array | string): string {
    const text = typeof chunk === "string" ? this.#decoder.end() + chunk : this.#decoder.write(chunk);
    return this.#show(text, false);
  }

  /** Returns the rest. */
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
      // Everything before this position is decided: no pattern that may still be completed begins there.
      if (scan.isOpen && !isLast) break;
    }
    // The last base64 character may hold bits of a secret that follows.
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

/** A comparison with so many common characters is remembered. */
const DEEP = 64;

/** The last long comparison of a pattern with the text. */
interface Comparison {
  readonly start: number;
  /** Number of common characters. */
  readonly shared: number;
}

/** Finds patterns in one text, from its beginning to its end. */
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

  /** End of the longest pattern at the found position; the position itself if no pattern is complete there. */
  get end(): number {
    return this.#end;
  }

  /** Open ends of that pattern. */
  get ends(): number {
    return this.#ends;
  }

  /** True if the text ends before a pattern that begins at the found position. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Returns the next position where a pattern begins, or may begin and end after the text. Returns the length of the
   * text if there is none. Call it with ascending positions.
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

  /** Searches the sorted patterns for the two neighbours of the rest of the text. */
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
      // A pattern between two neighbours shares the characters that both share.
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
    // Every pattern that the text begins with here is the one before it, or one that this pattern begins with.
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
   * Returns how many characters the text shares with the pattern here; it is known to be at least `least`. Characters
   * that were compared before are not compared again: otherwise a long "aaaa…" would cost its length at each "a".
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
