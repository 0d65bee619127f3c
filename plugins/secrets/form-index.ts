/** Finds the forms of secrets by their first characters. Keeps the forms themselves only of those that texts begin alike with. */
import { KeyTable } from "./key-table.js";
import { type Forms, Group, keyOf, SHORTEST } from "./patterns.js";

/** Of forms that are kept at least, and for each secret. */
const KEPT_BYTES = 4_000_000;
const KEPT_BYTES_EACH = 200;

/** What so many secrets begin with is found again and again, and is dear to put together: it stays. */
const MANY = 256;

const HASHES = 2 ** 21;

export class FormIndex {
  readonly #formsOf: (owner: number) => Forms;
  #owners = 0;
  #table = new KeyTable();
  /** Those that were asked for, the latest last. */
  readonly #groups = new Map<number, Group>();
  #kept = 0;
  /** A bit for the hash of each text of one to three characters that a form begins with. */
  #beginnings = new Uint8Array(0);

  /** @param formsOf an owner, always the same */
  constructor(formsOf: (owner: number) => Forms) {
    this.#formsOf = formsOf;
  }

  get isEmpty(): boolean {
    return this.#table.isEmpty;
  }

  add(owner: number): void {
    if (this.#beginnings.length === 0) this.#beginnings = new Uint8Array(HASHES / 8);
    this.#owners++;
    const keys = new Set<number>();
    for (const [form, ends] of this.#formsOf(owner)) {
      const key = keyIn(form);
      keys.add(key);
      this.#mark(form);
      const group = this.#groups.get(key);
      if (!group) continue;
      this.#kept -= group.size;
      group.add(form, ends);
      this.#kept += group.size;
    }
    for (const key of keys) this.#table.add(key, owner);
  }

  /** Those among which all are that begin with characters of this key. */
  withKey(key: number): Group | undefined {
    if (!this.#table.has(key)) return undefined;
    const known = this.#groups.get(key);
    if (known) {
      if (this.#groups.size > 1) {
        this.#groups.delete(key);
        this.#groups.set(key, known);
      }
      return known;
    }
    const group = this.#groupOf(key);
    this.#groups.set(key, group);
    this.#kept += group.size;
    this.#dropOldest(group);
    return group;
  }

  /** Whether a form begins with this text, which is shorter than what they are found by. May say so of others as well. */
  hasBeginning(text: string): boolean {
    const hash = hashOf(text, text.length);
    return ((this.#beginnings[hash >> 3] ?? 0) & (1 << (hash & 7))) !== 0;
  }

  /** Owners go, and others get new numbers. */
  renumber(numberOf: (owner: number) => number | undefined, owners: number): void {
    this.#table = this.#table.renumbered(numberOf);
    this.#owners = owners;
    this.#groups.clear();
    this.#kept = 0;
  }

  #groupOf(key: number): Group {
    const group = new Group();
    for (const owner of this.#table.ownersOf(key)) {
      for (const [form, ends] of this.#formsOf(owner)) if (keyIn(form) === key) group.add(form, ends);
    }
    return group;
  }

  #dropOldest(latest: Group): void {
    const most = Math.max(KEPT_BYTES, KEPT_BYTES_EACH * this.#owners);
    for (const [key, group] of this.#groups) {
      if (this.#kept <= most) return;
      if (group === latest || group.texts.length >= MANY) continue;
      this.#groups.delete(key);
      this.#kept -= group.size;
    }
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

/** Of the first one, two or three characters. */
function hashOf(text: string, length: number): number {
  let hash = length;
  for (let at = 0; at < length; at++) hash = Math.imul(hash, 131) + text.charCodeAt(at);
  return Math.imul(hash, 0x9e3779b1) >>> 11;
}
