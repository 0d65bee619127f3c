/** Maximum number of items in a chunk: an insertion or removal moves no more than that. */
const LONGEST = 64;

/** Initial number of items in a chunk, so that most can grow before they are split. */
const FIRST = 8;

/** A list that stays sorted under insertion and removal, at a cost that hardly grows with its size. Pure. */
export class SortedList<T> {
  readonly #compare: (a: T, b: T) => number;
  /** The items in order; no chunk is empty. */
  readonly #chunks: T[][] = [];
  /** The last item of each chunk. */
  readonly #lasts: T[] = [];

  constructor(compare: (a: T, b: T) => number, items: Iterable<T> = []) {
    this.#compare = compare;
    this.#replace(0, 0, cut([...items].sort(compare), FIRST));
  }

  /**
   * Inserts items after those that are equal to them. @param items sorted; no item of the list may belong between two
   * of them
   */
  add(items: readonly T[]): void {
    const [first] = items;
    if (first === undefined) return;
    const isAfter = (other: T): boolean => this.#compare(other, first) > 0;
    const at = Math.min(firstWhere(this.#lasts, isAfter), this.#chunks.length - 1);
    const chunk = this.#chunks[at];
    if (!chunk) return this.#replace(0, 0, cut(items, LONGEST / 2));
    const index = firstWhere(chunk, isAfter);
    if (chunk.length + items.length <= LONGEST) {
      chunk.splice(index, 0, ...items);
      this.#lasts[at] = chunk.at(-1) ?? first;
      return;
    }
    const pieces = cut([...chunk.slice(0, index), ...items, ...chunk.slice(index)], LONGEST / 2);
    this.#replace(at, 1, pieces);
  }

  /** Removes those of the given items that the list holds. @param items sorted; fastest if they are adjacent */
  delete(items: readonly T[]): void {
    for (let from = 0; from < items.length; ) from += this.#deleteSome(items, from);
  }

  /** Yields the items from the first match on. The predicate must hold for all items after its first match. */
  *from(isSo: (item: T) => boolean): Generator<T, void> {
    const start = firstWhere(this.#lasts, isSo);
    for (let at = start; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      yield* at === start ? chunk.slice(firstWhere(chunk, isSo)) : chunk;
    }
  }

  /** Returns the first match. The predicate must hold for all items after its first match. */
  first(isSo: (item: T) => boolean): T | undefined {
    const chunk = this.#chunks[firstWhere(this.#lasts, isSo)];
    return chunk?.[firstWhere(chunk, isSo)];
  }

  /** Removes adjacent items of one chunk, and returns the number of items handled. */
  #deleteSome(items: readonly T[], from: number): number {
    const first = items[from];
    if (first === undefined) return 1;
    const isReached = (other: T): boolean => this.#compare(other, first) >= 0;
    const at = firstWhere(this.#lasts, isReached);
    const chunk = this.#chunks[at];
    if (!chunk) return items.length;
    const index = firstWhere(chunk, isReached);
    let count = 0;
    while (index + count < chunk.length && chunk[index + count] === items[from + count]) count++;
    chunk.splice(index, count);
    const last = chunk.at(-1);
    if (last === undefined) this.#replace(at, 1, []);
    else this.#lasts[at] = last;
    return Math.max(1, count);
  }

  #replace(at: number, count: number, chunks: readonly T[][]): void {
    splice(this.#chunks, at, count, chunks);
    splice(
      this.#lasts,
      at,
      count,
      chunks.flatMap((chunk) => chunk.slice(-1)),
    );
  }
}

/** Works in place if that is cheaper; argument lists have a size limit. */
function splice<T>(list: T[], at: number, count: number, items: readonly T[]): void {
  if (items.length < 1_000) list.splice(at, count, ...items);
  else for (const item of items.concat(list.splice(at).slice(count))) list.push(item);
}

function cut<T>(items: readonly T[], length: number): readonly T[][] {
  const pieces: T[][] = [];
  let piece: T[] = [];
  for (const item of items) {
    if (piece.length === 0) pieces.push(piece);
    if (piece.push(item) === length) piece = [];
  }
  return pieces;
}

/** Returns the index of the first match. The predicate must hold for all items after its first match. */
function firstWhere<T>(items: readonly T[], isSo: (item: T) => boolean): number {
  let from = 0;
  let to = items.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = items[middle];
    if (item !== undefined && isSo(item)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** A binary heap: `pop` returns the item that comes first by `before`. */
export class Heap<T> {
  readonly #items: T[] = [];
  readonly #before: (a: T, b: T) => boolean;

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  push(item: T): void {
    const items = this.#items;
    let index = items.length;
    items.push(item);
    while (index > 0) {
      const up = (index - 1) >>> 1;
      if (!this.#swapIfBefore(index, up)) return;
      index = up;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    const first = items[0];
    const last = items.pop();
    if (first === undefined || last === undefined || items.length === 0) return first;
    items[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const [a, b] = [items[left], items[left + 1]];
      if (a === undefined) return first;
      const down = b !== undefined && this.#before(b, a) ? left + 1 : left;
      if (!this.#swapIfBefore(down, index)) return first;
      index = down;
    }
  }

  #swapIfBefore(lower: number, upper: number): boolean {
    const a = this.#items[lower];
    const b = this.#items[upper];
    if (a === undefined || b === undefined || !this.#before(a, b)) return false;
    this.#items[upper] = a;
    this.#items[lower] = b;
    return true;
  }
}

/** Returns true if two lists have the same items in the same order. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}
