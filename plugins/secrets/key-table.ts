/** Which secrets have a form with which key: in few bytes, for there may be many thousands of secrets. */

/** An owner is the number of a secret. */
export class KeyTable {
  /** Keys by their hashes, each plus one: 0 is a free place. */
  #keys = new Int32Array(64);
  /** The owner of a key; or of several the first link, as a negative number. */
  #values = new Int32Array(64);
  #count = 0;
  /** Pairs of an owner, and of a value as above. */
  #links = new Int32Array(64);
  #linked = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  has(key: number): boolean {
    return this.#keys[this.#at(key)] !== 0;
  }

  /** The last that was added comes first. */
  *ownersOf(key: number): Generator<number> {
    const at = this.#at(key);
    if (this.#keys[at] === 0) return;
    let value = this.#values[at] ?? 0;
    for (; value < 0; value = this.#links[-value] ?? 0) yield this.#links[-value - 1] ?? 0;
    yield value;
  }

  /** To be called once for each key of an owner. */
  add(key: number, owner: number): void {
    if (4 * this.#count >= 3 * this.#keys.length) this.#grow();
    const at = this.#at(key);
    if (this.#keys[at] === 0) {
      this.#keys[at] = key + 1;
      this.#values[at] = owner;
      this.#count++;
      return;
    }
    if (this.#linked + 2 > this.#links.length) this.#links = longer(this.#links);
    this.#links[this.#linked] = owner;
    this.#links[this.#linked + 1] = this.#values[at] ?? 0;
    this.#values[at] = -(this.#linked + 1);
    this.#linked += 2;
  }

  /** The same without owners that are gone, and with others' new numbers. */
  renumbered(numberOf: (owner: number) => number | undefined): KeyTable {
    const table = new KeyTable();
    for (const stored of this.#keys) {
      if (stored === 0) continue;
      for (const owner of this.ownersOf(stored - 1)) {
        const number = numberOf(owner);
        if (number !== undefined) table.add(stored - 1, number);
      }
    }
    return table;
  }

  #at(key: number): number {
    const mask = this.#keys.length - 1;
    let at = (Math.imul(key, 0x9e3779b1) >>> 7) & mask;
    while (this.#keys[at] !== 0 && this.#keys[at] !== key + 1) at = (at + 1) & mask;
    return at;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(2 * keys.length);
    this.#values = new Int32Array(2 * keys.length);
    for (const [from, stored] of keys.entries()) {
      if (stored === 0) continue;
      const at = this.#at(stored - 1);
      this.#keys[at] = stored;
      this.#values[at] = values[from] ?? 0;
    }
  }
}

function longer(list: Int32Array): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(Math.ceil(list.length / 2) * 3);
  copy.set(list);
  return copy;
}
