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

type Recorded = Pick<ResourceRecord, "uid" | "ready" | "done" | "parent">;

const noMoves: readonly PlaceAt[] = Object.freeze([]);

/** Gives the resources of one generation of declarations their places. */
export class Placement {
  readonly #records = new Map<string, Recorded>();
  readonly #declared = new Set<string>();
  /** The greatest `done` among the resources already resolved to the program. */
  #front: Position = [];
  /** Every recorded end of an interval, sorted; made when something must be placed between them. */
  #ends: Position[] | undefined;
  /** Records not declared yet, sorted by `ready`; made when the program has moved something. */
  #waiting: Recorded[] | undefined;

  constructor(records: Iterable<Recorded>) {
    for (const record of records) this.#records.set(record.uid, record);
  }

  /** A resource's props are resolved: here it stands. */
  ready(uid: string | undefined, parentReady?: Position): Placed {
    const low = parentReady ? later(this.#front, parentReady) : this.#front;
    const record = uid === undefined ? undefined : this.#records.get(uid);
    if (!record) return { ready: between(low, this.#next(low)), moves: noMoves };
    this.#declared.add(record.uid);
    if (this.#waiting) this.#withdraw(this.#waiting, record);
    if (comparePositions(record.ready, low) > 0) return { ...intervalOf(record), moves: noMoves };
    const moves = this.#lift([record, ...this.#carried(record, low)], low);
    return { ...intervalOf(moves[0] ?? record), moves };
  }

  /** The resource has resolved to the program; returns its `done`. */
  resolved({ ready, done }: Interval): Position {
    const low = later(this.#front, ready);
    const end = done ?? between(low, this.#next(low));
    this.#front = later(this.#front, end);
    return end;
  }

  /** A record went away in mid-run. */
  forget(uid: string): void {
    const record = this.#records.get(uid);
    if (record && this.#waiting) this.#withdraw(this.#waiting, record);
    this.#records.delete(uid);
  }

  /** What must stay behind a resource that the program moved back: its children, and what stood after it so far. */
  #carried(moved: Recorded, low: Position): Recorded[] {
    this.#waiting ??= [...this.#records.values()]
      .filter(({ uid }) => !this.#declared.has(uid))
      .sort((a, b) => comparePositions(a.ready, b.ready));
    const { done } = moved;
    const waiting = this.#waiting;
    const from = firstAbove(waiting, moved.ready, readyOf);
    const family = new Set([moved.uid]);
    const carried: Recorded[] = [];
    for (let index = from; index < waiting.length; index++) {
      const record = waiting[index];
      if (!record || comparePositions(record.ready, low) > 0) break;
      const descends = record.parent !== undefined && family.has(record.parent);
      if (descends) family.add(record.uid);
      if (descends || (done && comparePositions(record.ready, done) > 0)) carried.push(record);
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
      this.#insertEnd(last);
    }
    const at = (end: Position): Position => lifted.get(end.join()) ?? end;
    return records.map((record) => {
      const { uid, ready, done } = record;
      const place = done ? { uid, ready: at(ready), done: at(done) } : { uid, ready: at(ready) };
      const next = { ...record, ...place };
      this.#records.set(uid, next);
      if (this.#waiting && !this.#declared.has(uid)) {
        this.#withdraw(this.#waiting, record);
        this.#waiting.splice(firstAbove(this.#waiting, next.ready, readyOf), 0, next);
      }
      return place;
    });
  }

  #next(low: Position): Position | undefined {
    this.#ends ??= [...this.#records.values()]
      .flatMap(({ ready, done }) => (done ? [ready, done] : [ready]))
      .sort(comparePositions);
    return this.#ends[firstAbove(this.#ends, low, itself)];
  }

  #insertEnd(end: Position): void {
    this.#ends?.splice(firstAbove(this.#ends, end, itself), 0, end);
  }

  #withdraw(waiting: Recorded[], record: Recorded): void {
    // Records of one `ready` stand side by side: walk back over them.
    for (let index = firstAbove(waiting, record.ready, readyOf) - 1; index >= 0; index--) {
      const other = waiting[index];
      if (!other || comparePositions(other.ready, record.ready) < 0) return;
      if (other.uid === record.uid) {
        waiting.splice(index, 1);
        return;
      }
    }
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
