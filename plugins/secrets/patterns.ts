/** Sorted texts to search for, so that the number of texts hardly matters. */

/**
 * Texts are found by their first four characters. A shorter text occurs in too many others by chance: masking it would
 * make output unreadable.
 */
export const SHORTEST = 4;

/** The ends of a form at which the neighbouring base64 character may hold bits of the secret: a sum of these flags. */
export const BEFORE = 1;
export const BEHIND = 2;

/** The texts that would give a secret away, with the open ends of each. */
export type Forms = ReadonlyMap<string, number>;

/** Bytes of memory for a text in addition to its characters. */
const TEXT_BYTES = 30;

/**
 * Forms whose first characters have the same key, sorted by code units, without duplicates. Lists instead of objects,
 * because there may be many.
 */
export class Group {
  #texts: readonly string[] = [];
  #ends = new Uint8Array(0);
  /** By position: the position of the longest other text that this text begins with, or -1. */
  #inner = new Int32Array(0);
  #added: (readonly [string, number])[] = [];
  /** Approximate bytes of memory. */
  size = 0;

  add(text: string, ends: number): void {
    this.#added.push([text, ends]);
    this.size += TEXT_BYTES + text.length;
  }

  get texts(): readonly string[] {
    // Sort at the first read: most groups are never read.
    if (this.#added.length > 0) this.#sort();
    return this.#texts;
  }

  innerOf(position: number): number {
    return this.#inner[position] ?? -1;
  }

  /** Returns the open ends of a text, and those at the beginning of a text that it begins with. */
  endsOf(position: number): number {
    return this.#ends[position] ?? 0;
  }

  #sort(): void {
    const before = this.#texts.map((text, at): readonly [string, number] => [text, this.#ends[at] ?? 0]);
    const all = [...before, ...this.#added].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#added = [];
    const texts: string[] = [];
    const allEnds = new Uint8Array(all.length);
    const allInner = new Int32Array(all.length);
    for (const [text, ends] of all) {
      const last = texts.length - 1;
      if (text === texts[last]) {
        allEnds[last] = (allEnds[last] ?? 0) | ends;
        continue;
      }
      // The next text begins with the last one, or with a text that the last one begins with, or with none.
      let inner = last;
      while (inner >= 0 && !text.startsWith(texts[inner] ?? "")) inner = allInner[inner] ?? -1;
      allInner[last + 1] = inner;
      allEnds[last + 1] = ends | ((allEnds[inner] ?? 0) & BEFORE);
      texts.push(text);
    }
    this.#texts = texts;
    this.#ends = allEnds.slice(0, texts.length);
    this.#inner = allInner.slice(0, texts.length);
  }
}

/**
 * Unique for ASCII. Other texts may share a key, which costs time but does no harm. Small enough for a small integer.
 */
export function keyOf(first: number, second: number, third: number, fourth: number): number {
  return ((first << 21) ^ (second << 14) ^ (third << 7) ^ fourth) & 0x3fffffff;
}

/** The Z function: for each position, how many characters the rest of the text shares with its beginning. */
export function selfOverlapsOf(text: string): Int32Array {
  const overlaps = new Int32Array(text.length);
  overlaps[0] = text.length;
  // The overlap that reaches farthest so far.
  let start = 0;
  let end = 0;
  for (let at = 1; at < text.length; at++) {
    let overlap = at < end ? Math.min(end - at, overlaps[at - start] ?? 0) : 0;
    while (at + overlap < text.length && text.charCodeAt(overlap) === text.charCodeAt(at + overlap)) overlap++;
    overlaps[at] = overlap;
    if (at + overlap > end) {
      start = at;
      end = at + overlap;
    }
  }
  return overlaps;
}
