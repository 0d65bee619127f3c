/** The parts of a case of the store suite. */
import type { StateStore } from "../../../core/contract/index.js";

/** A store under test. */
export interface OpenedStore {
  /** Empty, and not shared with any other test. */
  readonly store: StateStore;
  /** Opens another client of the same data, as another process would. If absent, the store itself is used. */
  reopen?(): Promise<StateStore>;
  /** Called after the test and after the `close` of the clients; removes the data of the test. */
  close?(): Promise<void>;
}

/** The input of a case. */
export interface StoreTest {
  readonly store: StateStore;
  /** Length of the largest value to try, in characters. */
  readonly largest: number;
  /** Number of keys to list. */
  readonly many: number;
  /** Opens another client of the same data; closed after the test. */
  another(): Promise<StateStore>;
}

export interface StoreCase {
  /** The behaviour of the store, as a sentence without its subject. */
  readonly title: string;
  run(test: StoreTest): Promise<void>;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Returns the sorted keys that a store lists. */
export async function listed(store: StateStore, prefix: string): Promise<string[]> {
  return (await collect(store.list(prefix))).sort();
}

/** Values that are set at once: one after the other, many would take a remote store minutes. */
const AT_ONCE = 50;

/** Sets each key to a value of its own. */
export async function fill(store: StateStore, ...keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => store.set(key, `value of ${key}`)));
  }
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
