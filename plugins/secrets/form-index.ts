/** Finds forms of secrets by their first characters. Keeps only the forms whose first characters occurred in a text. */
import { type Forms, Group, keyOf, SHORTEST } from "./patterns.js";

/** Memory for kept forms: at least this, or this for each secret. */
const KEPT_BYTES = 4_000_000;

const KEPT_BYTES_EACH = 200;

/** A group of so many forms is needed often and is expensive to build, so it is kept for good. */
const MANY = 256;

/** The forms of a longer secret are expensive to build, so they are kept for good. */
const LONG = 1_000;

const HASHES = 2 ** 21;

/** The secrets to mask, by number. */
export interface MaskedValues {
  /** Returns the same forms with each call. */
  formsOf(owner: number): Forms;
  /** Returns the number of characters of the secret. */
  sizeOf(owner: number): number;
}

/** Maps keys to owners. An owner is the number of a secret. */
export class KeyTable {
  /** An open-addressing hash table of keys plus one; 0 is a free slot. */
  #keys = new Int32Array(64);
  /** The owner of a key; if it has several, the first link, as a negative number. */
  #values = new Int32Array(64);
  #count = 0;
  /** Pairs of an owner and a value as in `#values`. */
  #links = new Int32Array(64);
  #linked = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  has(key: number): boolean {
    return this.#keys[this.#at(key)] !== 0;
  }

  /** Yields the owner that was added last first. */
  *ownersOf(key: number): Generator<number> {
    const at = this.#at(key);
    if (this.#keys[at] === 0) return;
    let value = this.#values[at] ?? 0;
    for (; value < 0; value = this.#links[-value] ?? 0) yield this.#links[-value - 1] ?? 0;
    yield value;
  }

  /** Call it once for each key of an owner. */
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

  /** Returns a copy without removed owners, with the new numbers of the others. */
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

export class FormIndex {
  readonly #values: MaskedValues;
  #owners = 0;
  #table = new KeyTable();
  /** Groups that are expensive to build. */
  readonly #staying = new Map<number, Group>();
  /** Groups that were requested; the latest is last. */
  readonly #groups = new Map<number, Group>();
  #kept = 0;
  /** A Bloom filter of the texts of one to three characters that a form begins with. */
  #beginnings = new Uint8Array(0);

  constructor(values: MaskedValues) {
    this.#values = values;
  }

  get isEmpty(): boolean {
    return this.#table.isEmpty;
  }

  add(owner: number): void {
    if (this.#beginnings.length === 0) this.#beginnings = new Uint8Array(HASHES / 8);
    this.#owners++;
    const forms = this.#values.formsOf(owner);
    const keys = new Set<number>();
    for (const form of forms.keys()) {
      keys.add(keyIn(form));
      this.#mark(form);
    }
    this.#group(owner, forms);
    for (const key of keys) this.#table.add(key, owner);
  }

  /** Adds forms to the groups that exist. Groups of a long secret stay from now on. */
  #group(owner: number, forms: Forms): void {
    const isLong = this.#values.sizeOf(owner) > LONG;
    for (const [form, ends] of forms) {
      const key = keyIn(form);
      if (isLong && !this.#staying.has(key)) this.#stay(key);
      const staying = this.#staying.get(key);
      const group = staying ?? this.#groups.get(key);
      if (!group) continue;
      const before = group.size;
      group.add(form, ends);
      if (!staying) this.#kept += group.size - before;
    }
  }

  #stay(key: number): void {
    const known = this.#groups.get(key);
    if (known) this.#kept -= known.size;
    this.#groups.delete(key);
    this.#staying.set(key, known ?? this.#groupOf(key));
  }

  /** Returns the group that contains all forms whose first characters have this key. */
  withKey(key: number): Group | undefined {
    if (!this.#table.has(key)) return undefined;
    const staying = this.#staying.get(key);
    if (staying) return staying;
    const known = this.#groups.get(key);
    if (known) {
      if (this.#groups.size > 1) {
        this.#groups.delete(key);
        this.#groups.set(key, known);
      }
      return known;
    }
    const group = this.#groupOf(key);
    if (group.texts.length >= MANY) this.#staying.set(key, group);
    else this.#keep(key, group);
    return group;
  }

  #keep(key: number, group: Group): void {
    this.#groups.set(key, group);
    this.#kept += group.size;
    const most = Math.max(KEPT_BYTES, KEPT_BYTES_EACH * this.#owners);
    for (const [oldest, other] of this.#groups) {
      if (this.#kept <= most || other === group) return;
      this.#groups.delete(oldest);
      this.#kept -= other.size;
    }
  }

  /** Returns true if a form begins with this text, which is shorter than a key. May be true for other texts, too. */
  hasBeginning(text: string): boolean {
    const hash = hashOf(text, text.length);
    return ((this.#beginnings[hash >> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  }

  /** Removes owners and gives new numbers to the others. */
  renumber(numberOf: (owner: number) => number | undefined, owners: number): void {
    this.#table = this.#table.renumbered(numberOf);
    this.#owners = owners;
    this.#groups.clear();
    this.#staying.clear();
    this.#kept = 0;
    for (let owner = 0; owner < owners; owner++) {
      if (this.#values.sizeOf(owner) > LONG) this.#group(owner, this.#values.formsOf(owner));
    }
  }

  #groupOf(key: number): Group {
    const group = new Group();
    for (const owner of this.#table.ownersOf(key)) {
      // The forms of long secrets are already in their groups.
      if (this.#values.sizeOf(owner) > LONG) continue;
      for (const [form, ends] of this.#values.formsOf(owner)) if (keyIn(form) === key) group.add(form, ends);
    }
    return group;
  }

  #mark(form: string): void {
    for (let length = 1; length < SHORTEST; length++) {
      const hash = hashOf(form, length);
      this.#beginnings[hash >> 3] = (this.#beginnings[hash >> 3] ?? 0) | (1 << (hash & 7));
    }
  }
}

function keyIn(form: string): number {
  return keyOf(form.charCodeAt(0), form.charCodeAt(1), form.charCodeAt(2), form.charCodeAt(3));
}

/** Hashes the first one, two or three characters. */
function hashOf(text: string, length: number): number {
  let hash = length;
  for (let at = 0; at < length; at++) hash = Math.imul(hash, 131) + text.charCodeAt(at);
  return Math.imul(hash, 0x9e3779b1) >>> 11;
}
