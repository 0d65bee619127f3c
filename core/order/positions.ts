/**
 * The dense line of the program's order: each resource holds an interval `ready < done`. A resource that became ready
 * before another was done cannot have seen its output. Pure.
 */

import { SortedList } from "../base/index.js";
import type { Position, ResourceRecord } from "../contract/index.js";

export function comparePositions(a: Position, b: Position): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * Returns a position above `low` and below `high`. Neighbours differ by one in one place, so a position grows longer
 * only if insertions alternate, and never runs out.
 */
export function between(low: Position, high: Position | undefined): Position {
  for (let length = 1; length <= low.length; length++) {
    const next = low.slice(0, length);
    next[length - 1] = (low[length - 1] ?? 0) + 1;
    if (high === undefined || comparePositions(next, high) < 0) return next;
  }
  const inner = high?.slice(0, low.length);
  const extendsLow = high !== undefined && inner !== undefined && comparePositions(inner, low) === 0;
  // Unlike a spread, it leaves no room for more: a record holds two positions.
  return low.concat(extendsLow ? (high[low.length] ?? 0) - 1 : 0);
}

export function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : b;
}

/**
 * Positions of the resources that have become ready since the last one was done: the next one to become ready belongs
 * to them. Pure.
 */
export class Together {
  /** In the order in which they became ready; not read unless a resource must be placed. */
  readonly #positions: Position[] = [];
  readonly #texts = new Set<string>();
  /** Number of positions that have a text. */
  #read = 0;
  /** Result of the last search. */
  #found: { readonly low: Position; readonly last: Position | undefined } | undefined;

  add(ready: Position): void {
    this.#positions.push(ready);
  }

  /** Notes that a resource is done: later resources may have been made from it. */
  clear(): void {
    if (this.#positions.length === 0) return;
    this.#positions.length = 0;
    this.#texts.clear();
    this.#read = 0;
    this.#found = undefined;
  }

  /**
   * Returns the last of the positions above `low` with no other end before it; undefined if there is none.
   *
   * @param next returns the first end of an interval above a position
   */
  lastAbove(low: Position, next: (from: Position) => Position | undefined): Position | undefined {
    if (this.#positions.length === 0) return undefined;
    for (; this.#read < this.#positions.length; this.#read++) this.#texts.add(String(this.#positions[this.#read]));
    const isSame = this.#found !== undefined && comparePositions(this.#found.low, low) === 0;
    let last = isSame ? this.#found?.last : undefined;
    for (let end = next(last ?? low); end && this.#texts.has(String(end)); end = next(end)) last = end;
    this.#found = { low, last };
    return last;
  }
}

/** Recorded resources whose positions are not final yet in a run: they may be taken along by one that moves. */
export type OrderedRecord = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced" | "dropped">;

interface Entry {
  readonly record: OrderedRecord;
  /** Of records that became ready at the same position, the one with the lower rank comes first. */
  readonly rank: number;
}

/** Finds the resources to take along without visiting settled ones. */
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

  /** Moves records that are next to each other now, in their previous order. */
  move(records: readonly OrderedRecord[]): void {
    this.#byReady.delete(records.flatMap(({ uid }) => this.#entries.get(uid) ?? []));
    this.#byReady.add(records.map((record) => this.#entryOf(record)));
  }

  /** Returns the resources up to `low` that became ready after `moved` was done, and its descendants, in order. */
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

  /** Excludes the resource itself and children that do not come after their parent. */
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
