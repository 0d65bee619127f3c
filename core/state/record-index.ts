import type { ResourceRecord } from "../contract/index.js";
import { PathTree } from "./path-tree.js";

type Indexed = Pick<ResourceRecord, "uid" | "key" | "refs">;

/** Finds uids of records by what they are named, and by what they refer to; old copies included. */
export class RecordIndex {
  readonly names = new PathTree();
  /** By the uid of what they refer to. */
  readonly #referring = new Map<string, Set<string>>();
  /** The order in which the records have come. */
  readonly #ranks = new Map<string, number>();
  #nextRank = 0;

  constructor(records: Iterable<Indexed>) {
    for (const record of records) this.add(record);
  }

  add(record: Indexed): void {
    this.names.add(record.key, record.uid);
    this.#ranks.set(record.uid, this.#nextRank++);
    this.#refer(record);
  }

  delete(record: Indexed): void {
    this.names.delete(record.key, record.uid);
    this.#ranks.delete(record.uid);
    this.#forget(record);
  }

  replace(before: Indexed, record: Indexed): void {
    if (before.key !== record.key) {
      this.names.delete(before.key, before.uid);
      this.names.add(record.key, record.uid);
    }
    if (before.refs === record.refs) return;
    this.#forget(before);
    this.#refer(record);
  }

  /** What is named below a path, in the order in which it has come. */
  below(path: string): readonly string[] {
    const rankOf = (uid: string): number => this.#ranks.get(uid) ?? 0;
    return this.names.below(path).toSorted((a, b) => rankOf(a) - rankOf(b));
  }

  referringTo(uid: string): Iterable<string> {
    return this.#referring.get(uid) ?? [];
  }

  #refer({ uid, refs = [] }: Indexed): void {
    for (const ref of refs) {
      const known = this.#referring.get(ref);
      if (known) known.add(uid);
      else this.#referring.set(ref, new Set([uid]));
    }
  }

  #forget({ uid, refs = [] }: Indexed): void {
    for (const ref of refs) {
      const known = this.#referring.get(ref);
      known?.delete(uid);
      if (known?.size === 0) this.#referring.delete(ref);
    }
  }
}
