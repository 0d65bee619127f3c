/** Store for state in the memory of the process: for tests, and as the reference for all stores. */
import { sleep } from "../../core/base/index.js";
import type { Growing } from "../../core/contract/index.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";

export interface MemoryStoreOptions {
  /** False: the store has no `append`. Default: true. */
  readonly append?: boolean;
  /** Milliseconds until a call takes effect, to simulate a remote store. Default: none, the next microtask. */
  readonly latency?: number;
  /** Name of the store. Default: "memory". */
  readonly name?: string;
}

const isGroup = /^[^/]*\/[^/]*\//;

/** Returns the first two segments of a key, app and stage, or all of a shorter key. */
function groupOf(key: string): string {
  return isGroup.exec(key)?.[0] ?? key;
}

/** A store in the memory of the process. It supports `append` unless it was made with `append: false`. */
export interface MemoryStore extends KeyvStorageAdapter, Partial<Growing> {}

/**
 * Returns the reference store: every store behaves like it. Two of them share nothing. One store given to two engines
 * is like a bucket for two machines.
 *
 * @example
 * ```ts
 * const store = memoryStore();
 * const app = await engine("my-app", { stateStore: store });
 * ```
 */
export function memoryStore({ append = true, latency, name = "memory" }: MemoryStoreOptions = {}): MemoryStore {
  const values = new Map<string, string>();
  // The keys of each stage, so that listing one stage does not pass through all others.
  const groups = new Map<string, Set<string>>();
  const add = (key: string, value: string): void => {
    if (!values.has(key)) {
      const group = groups.get(groupOf(key));
      if (group) group.add(key);
      else groups.set(groupOf(key), new Set([key]));
    }
    values.set(key, value);
  };
  const remove = (key: string): boolean => {
    const group = groups.get(groupOf(key));
    group?.delete(key);
    if (group?.size === 0) groups.delete(groupOf(key));
    return values.delete(key);
  };
  // Everything after the turn runs synchronously, which makes `create` and `append` atomic.
  const turn = (): Promise<void> => (latency === undefined ? Promise.resolve() : sleep(latency));

  const growing: Growing = {
    async append(key, chunk, fence) {
      await turn();
      const value = values.get(key);
      if (value === undefined) return false;
      values.set(key, value + chunk);
      return !values.has(fence);
    },
  };

  const store: PlainStore<MemoryStore> = {
    name,
    local: true,
    async get(key) {
      await turn();
      return values.get(key);
    },
    async getMany(keys) {
      await turn();
      return keys.map((key) => values.get(key));
    },
    async set(key, value) {
      await turn();
      add(key, value);
    },
    async deleteMany(keys) {
      await turn();
      return keys.filter(remove).length > 0;
    },
    async create(key, value) {
      await turn();
      if (values.has(key)) return false;
      add(key, value);
      return true;
    },
    async *list(prefix) {
      await turn();
      const keys = isGroup.test(prefix) ? (groups.get(groupOf(prefix)) ?? []) : values.keys();
      yield* [...keys].filter((key) => key.startsWith(prefix)).sort();
    },
    ...(append ? growing : {}),
  };
  return withKeyvMethods(store);
}
