/** A binary heap: `pop` gives the item that comes first by `before`. */
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
