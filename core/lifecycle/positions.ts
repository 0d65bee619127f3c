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
    const next = [...low.slice(0, length - 1), (low[length - 1] ?? 0) + 1];
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

interface Recorded extends Pick<ResourceRecord, "uid" | "ready" | "done" | "parent" | "replaced"> {
  /** Its parent's handler ran to its end and did not declare it any more. */
  readonly orphaned?: true;
}

const noMoves: readonly PlaceAt[] = Object.freeze([]);

/** Gives the resources of one generation of declarations their places. */
export class Placement {
  readonly #records = new Map<string, Recorded>();
  readonly #children = new Map<string, string[]>();
  /** Recorded resources whose place is final: resolved, or their handlers have placed children. */
  readonly #settled = new Set<string>();
  /** The greatest `done` among the resources already resolved to the program. */
  #front: Position = [];
  /** Every recorded end of an interval, sorted; made when something must be placed between them. */
  #ends: Position[] | undefined;
  /** Records that are not settled, sorted by `ready`, among some that were; made when the program has moved something. */
  #waiting: Recorded[] | undefined;
  #stale = 0;

  constructor(records: Iterable<Recorded>) {
    for (const record of records) {
      this.#records.set(record.uid, record);
      if (record.parent === undefined || record.replaced || record.orphaned) continue;
      const siblings = this.#children.get(record.parent);
      if (siblings) siblings.push(record.uid);
      else this.#children.set(record.parent, [record.uid]);
    }
  }

  /** The props of a resource are resolved and its handler is to run: here it stands. */
  ready(uid: string | undefined, parent?: Pick<Recorded, "uid" | "ready">): Placed {
    if (parent) this.#settle(parent.uid);
    const parentReady = parent && (this.#records.get(parent.uid) ?? parent).ready;
    const low = parentReady ? later(this.#front, parentReady) : this.#front;
    const record = uid === undefined ? undefined : this.#records.get(uid);
    if (!record) return { ready: between(low, this.#next(low)), moves: noMoves };
    if (this.#settled.has(record.uid) || comparePositions(record.ready, low) > 0) {
      return { ...intervalOf(record), moves: noMoves };
    }
    const moves = this.#lift([record, ...this.#carried(record, low)], low);
    return { ...intervalOf(moves[0] ?? record), moves };
  }

  /** Where a resource is done that has its result now, and will resolve to the program in a moment. */
  doneOf({ ready, done }: Interval): Position {
    const low = later(this.#front, ready);
    return done ?? between(low, this.#next(low));
  }

  /** The resource has resolved to the program; returns its `done`. */
  resolved(uid: string, interval: Interval): Position {
    this.#settle(uid);
    const end = this.doneOf(interval);
    this.#front = later(this.#front, end);
    return end;
  }

  /** The resource resolves without its handler, and what its handler declared once with it: they stay where they are. */
  skipped(uid: string): void {
    const record = this.#records.get(uid);
    if (!record) return;
    if (record.parent !== undefined) this.#settle(record.parent);
    this.#settle(uid);
    if (record.done) this.#front = later(this.#front, record.done);
    for (const child of this.#children.get(uid) ?? []) this.skipped(child);
  }

  /** A record went away in mid-run. */
  forget(uid: string): void {
    this.#settle(uid);
    this.#records.delete(uid);
  }

  /** What must stay behind a resource that the program moved back: its children, and what stood after one of these. */
  #carried(moved: Recorded, low: Position): Recorded[] {
    const waiting = this.#allWaiting();
    const family = new Set([moved.uid]);
    const carried: Recorded[] = [];
    let end = moved.done;
    for (let index = firstAbove(waiting, moved.ready, readyOf); index < waiting.length; index++) {
      const record = waiting[index];
      if (!record || comparePositions(record.ready, low) > 0) break;
      if (!this.#waits(record)) continue;
      const descends = record.parent !== undefined && family.has(record.parent);
      if (descends) family.add(record.uid);
      else if (!end || comparePositions(record.ready, end) < 0) continue;
      carried.push(record);
      if (record.done && (!end || comparePositions(record.done, end) < 0)) end = record.done;
    }
    return carried;
  }

  /** Lifts the ends at or below `low`, in their order, to between `low` and the next recorded end. */
  #lift(records: readonly Recorded[], low: Position): readonly PlaceAt[] {
    const high = this.#next(low);
    const ends = records.flatMap(({ ready, done }) => (done ? [ready, done] : [ready]));
    const below = ends.filter((end) => comparePositions(end, low) <= 0).sort(comparePositions);
    const lifted = new Map<string, Position>();
    let last = low;
    for (const end of below) {
      const name = end.join();
      if (lifted.has(name)) continue;
      last = between(last, high);
      lifted.set(name, last);
    }
    this.#ends?.splice(firstAbove(this.#ends, low, itself), 0, ...lifted.values());
    const at = (end: Position): Position => lifted.get(end.join()) ?? end;
    const next = records.map((record) => {
      const { ready, done } = record;
      return { ...record, ready: at(ready), ...(done ? { done: at(done) } : {}) };
    });
    for (const record of next) this.#records.set(record.uid, record);
    const waiting = this.#allWaiting();
    waiting.splice(firstAbove(waiting, low, readyOf), 0, ...next);
    this.#stale += next.length;
    return next.map(({ uid, ready, done }) => (done ? { uid, ready, done } : { uid, ready }));
  }

  #next(low: Position): Position | undefined {
    this.#ends ??= [...this.#records.values()]
      .flatMap(({ ready, done }) => (done ? [ready, done] : [ready]))
      .sort(comparePositions);
    return this.#ends[firstAbove(this.#ends, low, itself)];
  }

  #waits(record: Recorded): boolean {
    return this.#records.get(record.uid) === record && !this.#settled.has(record.uid);
  }

  #allWaiting(): Recorded[] {
    const known = this.#waiting;
    if (known && this.#stale * 8 < known.length) return known;
    this.#stale = 0;
    this.#waiting = (known ?? [...this.#records.values()]).filter((record) => this.#waits(record));
    if (!known) this.#waiting.sort((a, b) => comparePositions(a.ready, b.ready));
    return this.#waiting;
  }

  #settle(uid: string): void {
    if (this.#settled.has(uid)) return;
    this.#settled.add(uid);
    this.#stale++;
  }
}

function later(a: Position, b: Position): Position {
  return comparePositions(a, b) >= 0 ? a : b;
}

function intervalOf({ ready, done }: Interval): Interval {
  return done ? { ready, done } : { ready };
}

const itself = (position: Position): Position => position;
const readyOf = ({ ready }: Recorded): Position => ready;

/** Index of the first item whose position is above `position`. */
function firstAbove<T>(sorted: readonly T[], position: Position, positionOf: (item: T) => Position): number {
  let from = 0;
  let to = sorted.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const item = sorted[middle];
    if (item !== undefined && comparePositions(positionOf(item), position) > 0) to = middle;
    else from = middle + 1;
  }
  return from;
}
