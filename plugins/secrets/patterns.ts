/** Many texts to look for at once, sorted so that it matters little how many they are. */

/**
 * So many characters are what patterns are found by. What is shorter stands in too many texts by chance: were it masked,
 * nothing could be read any more.
 */
export const SHORTEST = 4;

export class Pattern {
  readonly text: string;
  /** The longest other pattern that this one begins with. */
  inner: Pattern | undefined;
  #selfOverlaps: Int32Array | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** How many characters the rest of the text, from each of its positions, has in common with its beginning. */
  get selfOverlaps(): Int32Array {
    this.#selfOverlaps ??= selfOverlapsOf(this.text);
    return this.#selfOverlaps;
  }
}

/** Patterns whose first characters have the same key. */
class Group {
  readonly #patterns: Pattern[] = [];
  #isSorted = true;

  add(text: string): void {
    this.#patterns.push(new Pattern(text));
    this.#isSorted = false;
  }

  /** In the order of their code units, each once. */
  get sorted(): readonly Pattern[] {
    // Not before somebody looks: most groups are never met in a text.
    if (!this.#isSorted) this.#sort();
    return this.#patterns;
  }

  #sort(): void {
    this.#isSorted = true;
    const patterns = this.#patterns.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
    let count = 0;
    let last: Pattern | undefined;
    for (const pattern of patterns) {
      if (pattern.text === last?.text) continue;
      // The next in order begins with the last one, or with one that the last one begins with, or with none.
      let inner = last;
      while (inner && !pattern.text.startsWith(inner.text)) inner = inner.inner;
      pattern.inner = inner;
      patterns[count++] = pattern;
      last = pattern;
    }
    patterns.length = count;
  }
}

/** Grows only. */
export class Patterns {
  readonly #groups = new Map<number, Group>();
  readonly #beginnings = new Set<string>();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  /** @param text of `SHORTEST` characters at least */
  add(text: string): void {
    const key = keyOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2), text.charCodeAt(3));
    const group = this.#groups.get(key) ?? new Group();
    this.#groups.set(key, group);
    group.add(text);
    for (let length = 1; length < SHORTEST; length++) this.#beginnings.add(text.slice(0, length));
  }

  /** Those among which all are that begin with characters of this key. */
  withKey(key: number): readonly Pattern[] | undefined {
    return this.#groups.get(key)?.sorted;
  }

  /** Whether a pattern begins with this text, which is shorter than what patterns are found by. */
  hasBeginning(text: string): boolean {
    return this.#beginnings.has(text);
  }
}

/** Exact for ASCII. Others may share one, which costs time but does no harm. Small enough to be no object. */
export function keyOf(first: number, second: number, third: number, fourth: number): number {
  return ((first << 21) ^ (second << 14) ^ (third << 7) ^ fourth) & 0x3fffffff;
}

/** The Z function of the text. */
function selfOverlapsOf(text: string): Int32Array {
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
