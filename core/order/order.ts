/**
 * The order of deletes: X is deleted before Y if Y was done before X was ready, if X refers to Y, or if X is Y's child.
 * Among the others, the latest is deleted first: by `ready`, then by the order of recording. Takes O(n log n) for n
 * items, in any order.
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
  /** Of items that became ready at the same position, the one with the higher rank is the later one. */
  readonly rank: number;
  stage: "waiting" | "running" | "failed" | "left" | "finished";
  /** Number of unfinished items that refer to it or are its children. */
  dependents: number;
  /** True if no position holds it back. */
  open: boolean;
}

export class DeletionOrder<T extends Orderable> {
  readonly #items = new Map<string, Item<T>>();
  /** Latest `ready` first: all others have to wait for the first unfinished one. */
  readonly #byReady: readonly Item<T>[];
  /** Latest `done` first, preceded by items that were never done. */
  readonly #byDone: readonly Item<T>[];
  readonly #startable = new Heap<Item<T>>((a, b) => compareReady(a, b) > 0);
  /** Referring items and children by item; built when nothing can start. */
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

  /**
   * Returns the latest item that may start now, marked as started; undefined while all remaining items have to wait.
   */
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

  /** Marks an item as failed. It stays: items that have to come after it never start, all others continue. */
  failed(uid: string): void {
    if (this.#ended(uid, "failed")) this.#failed++;
  }

  /**
   * Marks an item as left, because it is unknown whether it exists. Only its dependencies and its parent have to wait
   * for it; its position holds nothing back.
   */
  leave(uid: string): void {
    const item = this.#items.get(uid);
    if (item?.stage !== "waiting") return;
    item.stage = "left";
    this.#failed++;
    this.#advance();
  }

  /** Returns the items that never started, each with one of the items that it waited for. */
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
   * Opens items that references and positions block mutually: references win. Items that the latest item waits for by
   * reference need no longer wait for it by position.
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

  /** Skips items that were left meanwhile. */
  #first(): Item<T> | undefined {
    let item = this.#startable.pop();
    while (item?.stage === "left") item = this.#startable.pop();
    return item;
  }
}

/** True if no other item has to wait for its position. */
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
