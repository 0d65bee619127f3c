/**
 * The order of deletes: X goes before Y if Y was done before X was ready, if X refers to Y, or if X is Y's child.
 * Where that leaves a choice, the latest goes first: by `ready`, and by which was recorded later where that is the same.
 * Takes O(n log n) for n items, whatever their order.
 */

import { Heap } from "../base/index.js";
import type { Position } from "../contract/index.js";
import { comparePositions } from "./positions.js";
import { needsOf } from "./relations.js";

export interface Orderable {
  readonly uid: string;
  readonly ready: Position;
  readonly done?: Position;
  readonly refs?: readonly string[];
  readonly parent?: string;
}

interface Item<T> {
  readonly value: T;
  /** Of those that became ready at the same position, the one with the higher turn is the later one. */
  readonly rank: number;
  stage: "waiting" | "running" | "failed" | "left" | "finished";
  /** Unfinished items that refer to it or are its children. */
  dependents: number;
  /** No position holds it back. */
  open: boolean;
}

export class DeletionOrder<T extends Orderable> {
  readonly #items = new Map<string, Item<T>>();
  /** Latest `ready` first: the first unfinished one is what all others have to wait for. */
  readonly #byReady: readonly Item<T>[];
  /** Latest `done` first, those that never were done before all. */
  readonly #byDone: readonly Item<T>[];
  readonly #startable = new Heap<Item<T>>((a, b) => compareReady(a, b) > 0);
  /** What refers to an item or is its child; made when something is stuck. */
  #dependents: ReadonlyMap<Item<T>, readonly Item<T>[]> | undefined;
  #latest = 0;
  #opened = 0;
  #running = 0;
  #failed = 0;

  /** @param values in the order in which they were recorded */
  constructor(values: Iterable<T>) {
    let rank = 0;
    for (const value of values) {
      this.#items.set(value.uid, { value, rank: rank++, stage: "waiting", dependents: 0, open: false });
    }
    for (const { value } of this.#items.values()) {
      for (const item of this.#dependencies(value)) item.dependents++;
    }
    const items = [...this.#items.values()];
    this.#byReady = items.toSorted((a, b) => compareReady(b, a));
    this.#byDone = items.toSorted((a, b) => compareDone(b.value, a.value));
    this.#advance();
  }

  /** The latest item that may start now, marked as started; undefined while all that is left has to wait. */
  next(): T | undefined {
    const item = this.#first() ?? this.#breakCycle();
    if (!item) return undefined;
    item.stage = "running";
    this.#running++;
    return item.value;
  }

  finished(uid: string): void {
    const item = this.#ended(uid, "finished");
    if (!item) return;
    for (const dependency of this.#dependencies(item.value)) {
      dependency.dependents--;
      this.#offer(dependency);
    }
    this.#advance();
  }

  /** The item stays: what has to come after it never starts, all else goes on. */
  failed(uid: string): void {
    if (this.#ended(uid, "failed")) this.#failed++;
  }

  /**
   * The item stays, for nobody can tell whether it is there: only what refers to it, what it refers to and what it is a part of
   * has to wait for that; by its mere position it holds nothing back.
   */
  leave(uid: string): void {
    const item = this.#items.get(uid);
    if (item?.stage !== "waiting") return;
    item.stage = "left";
    this.#failed++;
    this.#advance();
  }

  /** What never started, each with one of the items that it waited for. */
  blocked(): readonly { readonly item: T; readonly by: T }[] {
    const dependents = this.#allDependents();
    const latest = this.#byReady[this.#latest];
    return [...this.#items.values()].flatMap((item) => {
      if (item.stage !== "waiting") return [];
      const by = dependents.get(item)?.find(({ stage }) => stage !== "finished") ?? latest;
      return by ? [{ item: item.value, by: by.value }] : [];
    });
  }

  #dependencies(value: T): readonly Item<T>[] {
    const uids = needsOf(value);
    if (uids.length === 0) return [];
    return uids.flatMap((uid) => this.#items.get(uid) ?? []).filter((item) => item.value !== value);
  }

  #allDependents(): ReadonlyMap<Item<T>, readonly Item<T>[]> {
    if (this.#dependents) return this.#dependents;
    const all = new Map<Item<T>, Item<T>[]>();
    for (const item of this.#items.values()) {
      for (const dependency of this.#dependencies(item.value)) {
        const known = all.get(dependency);
        if (known) known.push(item);
        else all.set(dependency, [item]);
      }
    }
    this.#dependents = all;
    return all;
  }

  #ended(uid: string, stage: "finished" | "failed"): Item<T> | undefined {
    const item = this.#items.get(uid);
    if (item?.stage !== "running") return undefined;
    item.stage = stage;
    this.#running--;
    return item;
  }

  /** Opens the items that were done no earlier than the latest unfinished one became ready. */
  #advance(): void {
    while (isPassed(this.#byReady[this.#latest]?.stage)) this.#latest++;
    const latest = this.#byReady[this.#latest]?.value.ready;
    if (!latest) return;
    for (let item = this.#byDone[this.#opened]; item; item = this.#byDone[++this.#opened]) {
      const { done } = item.value;
      if (done && comparePositions(done, latest) < 0) return;
      this.#open(item);
    }
  }

  #open(item: Item<T>): void {
    if (item.open) return;
    item.open = true;
    this.#offer(item);
  }

  #offer(item: Item<T>): void {
    if (item.open && item.stage === "waiting" && item.dependents === 0) this.#startable.push(item);
  }

  /**
   * References that contradict the positions would hold each other up for ever: there, references win. What the latest
   * item waits for by reference needs no longer wait for it by position.
   */
  #breakCycle(): Item<T> | undefined {
    const latest = this.#byReady[this.#latest];
    if (this.#running > 0 || latest?.stage !== "waiting") return undefined;
    const chain = new Set([latest]);
    for (const item of chain) {
      for (const dependent of this.#allDependents().get(item) ?? []) {
        if (dependent.stage === "waiting") chain.add(dependent);
      }
    }
    for (const item of chain) this.#open(item);
    return this.#first() ?? (this.#failed > 0 ? undefined : latest);
  }

  /** What was left meanwhile is passed over. */
  #first(): Item<T> | undefined {
    let item = this.#startable.pop();
    while (item?.stage === "left") item = this.#startable.pop();
    return item;
  }
}

/** Nothing has to wait for its position. */
function isPassed(stage: Item<unknown>["stage"] | undefined): boolean {
  return stage === "finished" || stage === "left";
}

function compareReady(a: Item<Orderable>, b: Item<Orderable>): number {
  return comparePositions(a.value.ready, b.value.ready) || a.rank - b.rank;
}

function compareDone(a: Orderable, b: Orderable): number {
  if (a.done && b.done) return comparePositions(a.done, b.done);
  return (a.done ? 0 : 1) - (b.done ? 0 : 1);
}
