/**
 * The order of deletes: X goes before Y if Y was done before X was ready, if X refers to Y, or if X is Y's child.
 * Takes O(n log n) for n items, whatever their order.
 */
import type { Position } from "../state/record.js";
import { Heap } from "./heap.js";
import { comparePositions } from "./positions.js";

export interface Orderable {
  readonly uid: string;
  readonly ready: Position;
  readonly done?: Position;
  readonly refs?: readonly string[];
  readonly parent?: string;
}

interface Item<T> {
  readonly value: T;
  /** Unfinished items that refer to it or are its children. */
  dependents: number;
  /** Nothing unfinished has become ready after it was done. */
  open: boolean;
  started: boolean;
  finished: boolean;
}

export class DeletionOrder<T extends Orderable> {
  readonly #items = new Map<string, Item<T>>();
  /** Latest `ready` first: the first unfinished one is what all others have to wait for. */
  readonly #byReady: readonly Item<T>[];
  /** Latest `done` first, those that never were done before all. */
  readonly #byDone: readonly Item<T>[];
  readonly #startable = new Heap<Item<T>>((a, b) => comparePositions(a.value.ready, b.value.ready) > 0);
  #latest = 0;
  #opened = 0;
  #running = 0;
  #failed = false;

  constructor(values: Iterable<T>) {
    for (const value of values) {
      this.#items.set(value.uid, { value, dependents: 0, open: false, started: false, finished: false });
    }
    for (const { value } of this.#items.values()) {
      for (const item of this.#dependencies(value)) item.dependents++;
    }
    const items = [...this.#items.values()];
    this.#byReady = items.toSorted((a, b) => comparePositions(b.value.ready, a.value.ready));
    this.#byDone = items.toSorted((a, b) => compareDone(b.value, a.value));
    this.#open();
  }

  /** The latest item that may start now, marked as started; undefined while all that is left has to wait. */
  next(): T | undefined {
    const item = this.#startable.pop() ?? this.#breakCycle();
    if (!item) return undefined;
    item.started = true;
    this.#running++;
    return item.value;
  }

  finished(uid: string): void {
    const item = this.#items.get(uid);
    if (!item || item.finished) return;
    item.finished = true;
    this.#running--;
    for (const dependency of this.#dependencies(item.value)) {
      dependency.dependents--;
      this.#offer(dependency);
    }
    this.#open();
  }

  /** The item stays: what has to come after it never starts, all else goes on. */
  failed(uid: string): void {
    if (!this.#items.get(uid)?.started) return;
    this.#failed = true;
    this.#running--;
  }

  /** What never started, each with one of the items that it waited for. */
  blocked(): readonly { readonly item: T; readonly by: T }[] {
    const first = this.#byReady[this.#latest];
    const left = [...this.#items.values()].filter(({ started }) => !started);
    return left.map(({ value }) => {
      const dependent = [...this.#items.values()].find(
        (other) => !other.finished && this.#dependencies(other.value).some((item) => item.value === value),
      );
      return { item: value, by: (dependent ?? first)?.value ?? value };
    });
  }

  #dependencies(value: T): Item<T>[] {
    const uids = value.parent === undefined ? (value.refs ?? []) : [value.parent, ...(value.refs ?? [])];
    return uids.flatMap((uid) => this.#items.get(uid) ?? []).filter((item) => item.value !== value);
  }

  /** Opens the items that were done no earlier than the latest unfinished one became ready. */
  #open(): void {
    while (this.#byReady[this.#latest]?.finished) this.#latest++;
    const latest = this.#byReady[this.#latest]?.value.ready;
    if (!latest) return;
    for (let item = this.#byDone[this.#opened]; item; item = this.#byDone[++this.#opened]) {
      const { done } = item.value;
      if (done && comparePositions(done, latest) < 0) return;
      item.open = true;
      this.#offer(item);
    }
  }

  #offer(item: Item<T>): void {
    if (item.open && !item.started && item.dependents === 0) this.#startable.push(item);
  }

  /** References that contradict the positions would hold each other up for ever: there, references win. */
  #breakCycle(): Item<T> | undefined {
    if (this.#running > 0 || this.#failed) return undefined;
    const left = this.#byReady.filter(({ started }) => !started);
    return left.find(({ dependents }) => dependents === 0) ?? left[0];
  }
}

function compareDone(a: Orderable, b: Orderable): number {
  if (a.done && b.done) return comparePositions(a.done, b.done);
  return (a.done ? 0 : 1) - (b.done ? 0 : 1);
}
