/** The positions of a run's resources in the program's order. */

import { SortedList } from "../base/index.js";
import type { Position } from "../contract/index.js";
import type { PlaceAt } from "../state/index.js";
import { between, comparePositions, later, type OrderedRecord, Together, Unsettled } from "./positions.js";

export interface Interval {
  readonly ready: Position;
  /** Absent until the resource has resolved. */
  readonly done?: Position;
}

export interface Positioned extends Interval {
  /** Every recorded resource whose interval changed, this one first. */
  readonly moves: readonly PlaceAt[];
}

const noMoves: readonly PlaceAt[] = Object.freeze([]);

/**
 * Gives the resources of one run their positions. A resource must not precede one that it was made from. So a resource
 * that moves takes along all that stood after it, except resources that have resolved since: they cannot have used it
 * any more.
 */
export class Placement {
  readonly #recorded: Iterable<OrderedRecord>;
  /**
   * Resources that were unchanged before any resource had to be placed. If all are unchanged, no position is needed.
   */
  #unchanged: string[] | undefined = [];
  readonly #records = new Map<string, OrderedRecord>();
  /** By the uid of the parent, old copies included. */
  readonly #children = new Map<string, string[]>();
  /** Resources with final positions in this run: they have resolved, or children were placed after theirs. */
  readonly #settled = new Set<string>();
  /** Resources that the run leaves out, with their children: they have resolved to the program, but may move. */
  readonly #leftOut = new Set<string>();
  /** The greatest `done` among the resources that have resolved to the program. */
  #front: Position = [];
  readonly #together = new Together();
  /** Recorded ends of intervals; built when a resource must be placed between them. */
  #ends: SortedList<Position> | undefined;
  /** Resources that may be taken along; built when a resource moves. */
  #unsettled: Unsettled | undefined;

  /** The place of the last new resource. */
  #latest: Positioned | undefined;

  /** @param recorded iterated once, and not before a resource must be placed */
  constructor(recorded: Iterable<OrderedRecord>) {
    this.#recorded = recorded;
  }

  /**
   * Places a resource whose props are resolved, and whose handler is to run or whose references have changed. The
   * caller records the moves before it places another resource. A replacement takes the position of the copy whose uid
   * was given.
   */
  ready(uid: string | undefined, parent?: Pick<OrderedRecord, "uid" | "ready">): Positioned {
    this.#begin();
    if (parent) this.#settle(parent.uid);
    const parentReady = parent && (this.#records.get(parent.uid) ?? parent).ready;
    const low = parentReady ? later(this.#front, parentReady) : this.#front;
    const record = uid === undefined ? undefined : this.#records.get(uid);
    if (!record) return this.#anew(uid, low);
    const stays = this.#settled.has(record.uid) || comparePositions(record.ready, low) > 0;
    // A record that is going to be replaced would stay in memory.
    this.#records.set(record.uid, placeOf(record));
    const moves = stays ? noMoves : this.#lift([record, ...this.#carried(record, low)], low);
    const { ready, done } = moves[0] ?? record;
    this.reached(ready);
    return { ready, done, moves };
  }

  /** Notes that a recorded resource is ready and unchanged at its position; it resolves to the program in a moment. */
  reached(ready: Position): void {
    this.#together.add(ready);
  }

  /**
   * Places a new resource after the last of those that became ready together with it. A resource that was made in this
   * run and is declared again comes after those that have resolved since.
   */
  #anew(uid: string | undefined, low: Position): Positioned {
    const ready = this.#together.lastAbove(low, (from) => this.#next(from)) ?? between(low, this.#next(low));
    if (uid === undefined) {
      // Of thousands that become ready together, all have equal places.
      if (!this.#latest || comparePositions(this.#latest.ready, ready) !== 0)
        this.#latest = { ready, done: undefined, moves: noMoves };
      return this.#latest;
    }
    const done = between(ready, this.#next(ready));
    return { ready, done, moves: [{ uid, ready, done }] };
  }

  /** Returns the `done` of a resource whose handler has its result now; it resolves to the program in a moment. */
  doneOf(resource: Interval & Pick<OrderedRecord, "uid">): Position {
    this.#begin();
    this.#settle(resource.uid);
    // A recorded resource may have been taken along since its handler was started.
    const { ready, done = resource.done } = this.#records.get(resource.uid) ?? resource;
    const low = later(this.#front, ready);
    return done ?? between(low, this.#next(low));
  }

  /** Notes that the handler of a resource, or of its replacement, has resolved to the program; returns its `done`. */
  resolved(uid: string, { ready, done }: Interval): Position {
    const end = this.doneOf({ uid, ready, done });
    this.#together.clear();
    this.#front = later(this.#front, end);
    return end;
  }

  /** Notes that a resource, with its recorded children, resolves without its handler: all keep their places. */
  unchanged(uid: string): void {
    this.#together.clear();
    if (this.#unchanged) this.#unchanged.push(uid);
    else this.#pass(uid);
  }

  /**
   * Notes that a resource that the run leaves out resolves to the program. Later declarations may use its output. It
   * keeps its recorded props, so it moves with the resources that they were made from, as if it were not declared.
   */
  leftOut(uid: string): void {
    this.#begin();
    this.#together.clear();
    this.#leave(uid);
  }

  #leave(uid: string): void {
    const record = this.#records.get(uid);
    if (!record) return;
    this.#leftOut.add(uid);
    if (record.done) this.#front = later(this.#front, record.done);
    for (const child of this.#children.get(uid) ?? []) if (this.#isDeclared(child)) this.#leave(child);
  }

  #pass(uid: string): void {
    const record = this.#records.get(uid);
    if (!record) return;
    if (record.parent !== undefined) this.#settle(record.parent);
    this.#settle(uid);
    if (record.done) this.#front = later(this.#front, record.done);
    for (const child of this.#children.get(uid) ?? []) if (this.#isDeclared(child)) this.#pass(child);
  }

  /**
   * Notes that the handler of a resource is called again, and declares its children again, perhaps in another order.
   *
   * @param descendants recorded descendants of the resource
   */
  renew(descendants: readonly OrderedRecord[]): void {
    this.#begin();
    for (const record of descendants) {
      // A resource that resolved for the first time was not done when it was first seen.
      if (this.#records.has(record.uid)) this.#records.set(record.uid, record);
      else this.#know(record);
      this.#settled.delete(record.uid);
    }
    const known = descendants.flatMap(({ uid }) => this.#records.get(uid) ?? []);
    this.#ends?.add(known.flatMap(endsOf));
    this.#unsettled?.move(known);
  }

  /** Notes that a record was removed during the run. */
  forget(uid: string): void {
    this.#begin();
    this.#settle(uid);
    this.#records.delete(uid);
  }

  #begin(): void {
    const unchanged = this.#unchanged;
    if (!unchanged) return;
    this.#unchanged = undefined;
    for (const record of this.#recorded) this.#know(record);
    for (const uid of unchanged) this.#pass(uid);
  }

  #know(record: OrderedRecord): void {
    this.#records.set(record.uid, record);
    if (record.parent === undefined) return;
    const siblings = this.#children.get(record.parent);
    if (siblings) siblings.push(record.uid);
    else this.#children.set(record.parent, [record.uid]);
  }

  #isDeclared(uid: string): boolean {
    const record = this.#records.get(uid);
    return record !== undefined && !record.replaced && !record.dropped;
  }

  /**
   * Returns the resources that must stay after one that the program moved back: its children, and those that stood
   * after it so far.
   */
  #carried(moved: OrderedRecord, low: Position): readonly OrderedRecord[] {
    this.#unsettled ??= new Unsettled(
      [...this.#records.values()].filter(({ uid }) => !this.#settled.has(uid)),
      this.#children,
    );
    return this.#unsettled.carriedBy(moved, low);
  }

  /** Moves the ends at or below `low`, in their order, to between `low` and the next recorded end. */
  #lift(records: readonly OrderedRecord[], low: Position): readonly PlaceAt[] {
    const high = this.#next(low);
    const ends = records.flatMap(endsOf);
    const lifted = new Map<Position, Position>();
    let last: { readonly from?: Position; readonly to: Position } = { to: low };
    for (const from of ends.filter(notAbove(low)).sort(comparePositions)) {
      const isSame = last.from !== undefined && comparePositions(last.from, from) === 0;
      last = { from, to: isSame ? last.to : between(last.to, high) };
      lifted.set(from, last.to);
    }
    const at = (end: Position): Position => lifted.get(end) ?? end;
    const next = records.map((record): OrderedRecord => {
      const { ready, done } = record;
      return { ...placeOf(record), ready: at(ready), ...(done && { done: at(done) }) };
    });
    for (const record of next) {
      this.#records.set(record.uid, record);
      // The next resource must come after its present place.
      if (record.done && this.#leftOut.has(record.uid)) this.#front = later(this.#front, record.done);
    }
    this.#ends?.add([...new Set(lifted.values())]);
    this.#unsettled?.move(next);
    return next.map(({ uid, ready, done }) => (done ? { uid, ready, done } : { uid, ready }));
  }

  /** Returns the next recorded end above `low`. */
  #next(low: Position): Position | undefined {
    const recorded = (): Position[] => [...this.#records.values()].flatMap(endsOf);
    this.#ends ??= new SortedList(comparePositions, recorded());
    return this.#ends.first((end) => comparePositions(end, low) > 0);
  }

  #settle(uid: string): void {
    this.#settled.add(uid);
    this.#unsettled?.delete(uid);
  }
}

/** Returns the members that the order needs. */
function placeOf({ uid, ready, done, parent, replaced, dropped }: OrderedRecord): OrderedRecord {
  return { uid, ready, done, parent, replaced, dropped };
}

function endsOf({ ready, done }: Interval): readonly Position[] {
  return done ? [ready, done] : [ready];
}

function notAbove(low: Position): (position: Position) => boolean {
  return (position) => comparePositions(position, low) <= 0;
}
