/** Recorded resources whose positions are not final yet in a run: what may be carried along by what is moved. */

import { SortedList } from "../base/index.js";
import type { Position, ResourceRecord } from "../contract/index.js";
import { comparePositions, later } from "./positions.js";

export type OrderedRecord = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced" | "dropped">;

interface Entry {
  readonly record: OrderedRecord;
  /** Of those that became ready at the same position, the one with the lower turn comes first. */
  readonly rank: number;
}

/** Finds what is to be carried along, and nothing else: what has settled is never stepped over. */
export class Unsettled {
  readonly #entries = new Map<string, Entry>();
  readonly #byReady: SortedList<Entry>;
  readonly #children: ReadonlyMap<string, readonly string[]>;
  #nextRank = 0;

  /** @param children uids by the uid of the parent */
  constructor(records: readonly OrderedRecord[], children: ReadonlyMap<string, readonly string[]>) {
    this.#children = children;
    this.#byReady = new SortedList(
      compareEntries,
      records.map((record) => this.#entryOf(record)),
    );
  }

  delete(uid: string): void {
    const entry = this.#entries.get(uid);
    if (!entry) return;
    this.#entries.delete(uid);
    this.#byReady.delete([entry]);
  }

  /** They stand side by side now, in the order that they were in. */
  move(records: readonly OrderedRecord[]): void {
    this.#byReady.delete(records.flatMap(({ uid }) => this.#entries.get(uid) ?? []));
    this.#byReady.add(records.map((record) => this.#entryOf(record)));
  }

  /** Up to `low`, what became ready after a resource was done, and what it is the parent of; in the order of the line. */
  carriedBy(moved: OrderedRecord, low: Position): readonly OrderedRecord[] {
    const descendants = this.#descendantsOf(moved, low);
    const carried = new Set(descendants);
    if (moved.done) {
      const end = later(moved.ready, moved.done);
      for (const entry of this.#byReady.from(({ record }) => comparePositions(record.ready, end) > 0)) {
        if (comparePositions(entry.record.ready, low) > 0) break;
        carried.add(entry);
      }
    }
    const inOrder = descendants.length > 0 ? [...carried].sort(compareEntries) : [...carried];
    return inOrder.map(({ record }) => record);
  }

  /** Without itself; only what stands above its parent. */
  #descendantsOf(moved: OrderedRecord, low: Position): readonly Entry[] {
    const first = this.#entries.get(moved.uid);
    const descendants = new Set(first ? [first] : []);
    for (const parent of descendants) {
      for (const uid of this.#children.get(parent.record.uid) ?? []) {
        const child = this.#entries.get(uid);
        if (!child || compareEntries(child, parent) <= 0) continue;
        const { ready } = child.record;
        if (comparePositions(ready, moved.ready) > 0 && comparePositions(ready, low) <= 0) descendants.add(child);
      }
    }
    return [...descendants].slice(1);
  }

  #entryOf(record: OrderedRecord): Entry {
    const entry = { record, rank: this.#nextRank++ };
    this.#entries.set(record.uid, entry);
    return entry;
  }
}

function compareEntries(a: Entry, b: Entry): number {
  return comparePositions(a.record.ready, b.record.ready) || a.rank - b.rank;
}
