/**
 * Where resources stand in the order of the program: each holds an interval `ready < done` on a dense line, and
 * nothing that became ready before another was done can have seen its output.
 */
import type { PlaceAt } from "../state/change.js";
import type { Position, ResourceRecord } from "../state/record.js";

export function comparePositions(a: Position, b: Position): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/**
 * A position above `low` and below `high`. Neighbours go up or down by one in one place, so that it grows longer only
 * where insertions alternate, and never runs out.
 */
export function between(low: Position, high: Position | undefined): Position {
  for (let length = 1; length <= low.length; length++) {
    const next = low.slice(0, length);
    next[length - 1] = (low[length - 1] ?? 0) + 1;
    if (high === undefined || comparePositions(next, high) < 0) return next;
  }
  const inner = high?.slice(0, low.length);
  const extendsLow = high !== undefined && inner !== undefined && comparePositions(inner, low) === 0;
  return [...low, extendsLow ? (high[low.length] ?? 0) - 1 : 0];
}

export interface Interval {
  readonly ready: Position;
  /** Absent until the resource has resolved. */
  readonly done?: Position;
}

export interface Placed extends Interval {
  /** Every recorded resource whose interval changed, this one first. */
  readonly moves: readonly PlaceAt[];
}

type Recorded = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced" | "dropped">;

const noMoves: readonly PlaceAt[] = Object.freeze([]);

/**
 * Gives the resources of one generation of declarations their places. Nothing that a resource was made from may come to
 * stand behind it; so whatever is moved carries along what stood after it, but for what has resolved since: that can
 * have used it no more.
 */
export class Placement {
  readonly #recorded: Iterable<Recorded>;
  /** What was skipped before anything had to be placed. Where all is unchanged, nobody asks where anything stands. */
  #skipped: string[] | undefined = [];
  readonly #records = new Map<string, Recorded>();
  readonly #children = new Map<string, string[]>();
  /** Resources whose places are final in this generation: they have resolved, or children were placed by theirs. */
  readonly #settled = new Set<string>();
  /** The greatest `done` among the resources already resolved to the program. */
  #front: Position = [];
  /** Recorded ends of intervals above the front, the greatest first; made when something must be placed between them. */
  #ends: Position[] | undefined;
  /** Records that may be carried along, sorted by `ready`; some are out of date. Made when something is moved. */
  #waiting: Recorded[] | undefined;
  #outOfDate = 0;

  /** @param recorded is gone through once, and not before something is to be placed */
  constructor(recorded: Iterable<Recorded>) {
    this.#recorded = recorded;
  }

  /**
   * The props of a resource are resolved, and its handler is to run or it refers to other resources than before: here
   * it stands. Its moves are to be recorded before anything else is placed; a replacement takes the place of the copy
   * whose uid was given.
   */
  ready(uid: string | undefined, parent?: Pick<Recorded, "uid" | "ready">): Placed {
    this.#begin();
    if (parent) this.#settle(parent.uid);
    const parentReady = parent && (this.#records.get(parent.uid) ?? parent).ready;
    const low = parentReady ? later(this.#front, parentReady) : this.#front;
    const record = uid === undefined ? undefined : this.#records.get(uid);
    if (!record) return { ready: between(low, this.#next(low)), done: undefined, moves: noMoves };
    if (this.#settled.has(record.uid) || comparePositions(record.ready, low) > 0) {
      return { ready: record.ready, done: record.done, moves: noMoves };
    }
    const moves = this.#lift([record, ...this.#carried(record, low)], low);
    const { ready, done } = moves[0] ?? record;
    return { ready, done, moves };
  }

  /** Where a resource is done whose handler has its result now; it resolves to the program in a moment. */
  doneOf(resource: Interval & Pick<Recorded, "uid">): Position {
    this.#begin();
    this.#settle(resource.uid);
    // What is recorded may have been carried along since its handler was started.
    const { ready, done = resource.done } = this.#records.get(resource.uid) ?? resource;
    const low = later(this.#front, ready);
    return done ?? between(low, this.#next(low));
  }

  /** The handler of a resource, or of its replacement, has resolved to the program; returns its `done`. */
  resolved(uid: string, { ready, done }: Interval): Position {
    const end = this.doneOf({ uid, ready, done });
    this.#front = later(this.#front, end);
    return end;
  }

  /** A resource resolves without its handler, and so does what its handler declared when it ran: all stay in place. */
  skipped(uid: string): void {
    if (this.#skipped) {
      this.#skipped.push(uid);
      return;
    }
    const record = this.#records.get(uid);
    if (!record) return;
    if (record.parent !== undefined) this.#settle(record.parent);
    this.#settle(uid);
    if (record.done) this.#front = later(this.#front, record.done);
    for (const child of this.#children.get(uid) ?? []) this.skipped(child);
  }

  /** A record went away in mid-run. */
  forget(uid: string): void {
    this.#begin();
    this.#settle(uid);
    this.#records.delete(uid);
  }

  #begin(): void {
    const skipped = this.#skipped;
    if (!skipped) return;
    this.#skipped = undefined;
    for (const record of this.#recorded) {
      this.#records.set(record.uid, record);
      if (record.parent === undefined || record.replaced || record.dropped) continue;
      const siblings = this.#children.get(record.parent);
      if (siblings) siblings.push(record.uid);
      else this.#children.set(record.parent, [record.uid]);
    }
    for (const uid of skipped) this.skipped(uid);
  }

  /** What must stay behind a resource that the program moved back: its children, and what stood after it so far. */
  #carried(moved: Recorded, low: Position): Recorded[] {
    const waiting = this.#upToDate();
    const family = new Set([moved.uid]);
    const carried: Recorded[] = [];
    for (let index = firstWhere(waiting, above(moved.ready)); index < waiting.length; index++) {
      const record = waiting[index];
      if (!record || comparePositions(record.ready, low) > 0) break;
      if (!this.#waits(record)) continue;
      const descends = record.parent !== undefined && family.has(record.parent);
      if (descends) family.add(record.uid);
      if (descends || (moved.done && comparePositions(record.ready, moved.done) > 0)) carried.push(record);
    }
    return carried;
  }

  /** Lifts the ends at or below `low`, in their order, to between `low` and the next recorded end. */
  #lift(records: readonly Recorded[], low: Position): readonly PlaceAt[] {
    const high = this.#next(low);
    const ends = records.flatMap(({ ready, done }) => (done ? [ready, done] : [ready]));
    const lifted = new Map<Position, Position>();
    let last: { readonly from?: Position; readonly to: Position } = { to: low };
    for (const from of ends.filter(notAbove(low)).sort(comparePositions)) {
      const isSame = last.from !== undefined && comparePositions(last.from, from) === 0;
      last = { from, to: isSame ? last.to : between(last.to, high) };
      lifted.set(from, last.to);
    }
    const at = (end: Position): Position => lifted.get(end) ?? end;
    const next = records.map((record): Recorded => {
      const { ready, done } = record;
      return done ? { ...record, ready: at(ready), done: at(done) } : { ...record, ready: at(ready) };
    });
    for (const record of next) this.#records.set(record.uid, record);
    if (this.#ends) insert(this.#ends, firstWhere(this.#ends, notAbove(low)), [...new Set(lifted.values())].reverse());
    if (this.#waiting) insert(this.#waiting, firstWhere(this.#waiting, above(low)), next);
    this.#outOfDate += next.length;
    return next.map(({ uid, ready, done }) => (done ? { uid, ready, done } : { uid, ready }));
  }

  /** The next recorded end above `low`, which is never below the front. */
  #next(low: Position): Position | undefined {
    this.#ends ??= [...this.#records.values()]
      .flatMap(({ ready, done }) => (done ? [ready, done] : [ready]))
      .sort((a, b) => comparePositions(b, a));
    for (let last = this.#ends.at(-1); last && comparePositions(last, this.#front) <= 0; last = this.#ends.at(-1)) {
      this.#ends.pop();
    }
    if (this.#ends.length === 0) return undefined;
    return this.#ends[firstWhere(this.#ends, notAbove(low)) - 1];
  }

  #upToDate(): readonly Recorded[] {
    const known = this.#waiting;
    // Few enough to step over, and so many that cleaning up costs less than it saves.
    if (known && this.#outOfDate ** 2 < 64 * known.length) return known;
    const waiting = (known ?? [...this.#records.values()]).filter((record) => this.#waits(record));
    if (!known) waiting.sort((a, b) => comparePositions(a.ready, b.ready));
    this.#waiting = waiting;
    this.#outOfDate = 0;
    return waiting;
  }

  #waits(record: Recorded): boolean {
    return this.#records.get(record.uid) === record && !this.#settled.has(record.uid);
  }

  #settle(uid: string): void {
    this.#settled.add(uid);
    this.#outOfDate++;
  }
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : b;
}

function above(low: Position): (record: Recorded) => boolean {
  return ({ ready }) => comparePositions(ready, low) > 0;
}

function notAbove(low: Position): (position: Position) => boolean {
  return (position) => comparePositions(position, low) <= 0;
}

/** In place where that is cheaper; an argument list has its limits. */
function insert<T>(list: T[], index: number, items: readonly T[]): void {
  if (items.length < 1_000) list.splice(index, 0, ...items);
  else for (const item of items.concat(list.splice(index))) list.push(item);
}

/** Index of the first item that is so, where all items after it are so too. */
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
