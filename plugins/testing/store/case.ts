/** What a case of the store suite is made of. */
import type { StateStore } from "../../../core/contract/index.js";

/** A store under test. */
export interface OpenedStore {
  /** Empty, and out of reach of any other test. */
  readonly store: StateStore;
  /** Another client of the same data, such as another process would open. Absent: the store serves as its own. */
  reopen?(): Promise<StateStore>;
  /** Called after the test and after the clients' own `close`; removes what the test left. */
  close?(): Promise<void>;
}

/** What a case works with. */
export interface StoreTest {
  readonly store: StateStore;
  /** Length of the largest value to try, in characters. */
  readonly largest: number;
  /** How many keys to list. */
  readonly many: number;
  /** Another client of the same data; closed after the test. */
  another(): Promise<StateStore>;
}

export interface StoreCase {
  /** What the store does, as a sentence without its subject. */
  readonly title: string;
  run(test: StoreTest): Promise<void>;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The keys that a store lists, in an order of their own. */
export async function listed(store: StateStore, prefix: string): Promise<string[]> {
  return (await collect(store.list(prefix))).sort();
}

/** So many values are set at once: one after the other, many would take a remote store minutes. */
const AT_ONCE = 50;

/** Sets keys to values of their own. */
export async function fill(store: StateStore, ...keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    await Promise.all(keys.slice(start, start + AT_ONCE).map((key) => store.set(key, `value of ${key}`)));
  }
}

export function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
