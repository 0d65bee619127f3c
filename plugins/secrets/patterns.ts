/** Texts to look for, those that begin alike in order, so that it matters little how many they are. */

/**
 * So many characters are what patterns are found by. What is shorter stands in too many texts by chance: were it masked,
 * nothing could be read any more.
 */
export const SHORTEST = 4;

/** At which ends of a form the character beside it, of base64, may hold bits of the secret: a sum of these. */
export const BEFORE = 1;
export const BEHIND = 2;

/** The texts that would give a secret away, each with its open ends. */
export type Forms = ReadonlyMap<string, number>;

/** Bytes that a text takes beside its characters. */
const TEXT_BYTES = 30;

/** Forms whose first characters have the same key, in the order of their code units, each once. In lists instead of objects: there may be many. */
export class Group {
  #texts: readonly string[] = [];
  #ends = new Uint8Array(0);
  /** By position that of the longest other one that the text begins with, or -1. */
  #inner = new Int32Array(0);
  #added: (readonly [string, number])[] = [];
  /** Bytes of memory that it takes, roughly. */
  size = 0;

  add(text: string, ends: number): void {
    this.#added.push([text, ends]);
    this.size += TEXT_BYTES + text.length;
  }

  get texts(): readonly string[] {
    // Not before somebody looks: most groups are never met in a text.
    if (this.#added.length > 0) this.#sort();
    return this.#texts;
  }

  innerOf(position: number): number {
    return this.#inner[position] ?? -1;
  }

  /** Open ends of a text, also those at the beginning of one that it begins with. */
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
      // The next in order begins with the last one, or with one that the last one begins with, or with none.
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

/** Exact for ASCII. Others may share one, which costs time but does no harm. Small enough to be no object. */
export function keyOf(first: number, second: number, third: number, fourth: number): number {
  return ((first << 21) ^ (second << 14) ^ (third << 7) ^ fourth) & 0x3fffffff;
}

/** How many characters the rest of a text, from each of its positions, has in common with its beginning: its Z function. */
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
