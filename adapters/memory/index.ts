/** State in the memory of the process: for tests, and the reference that all stores are compared with. */
import { sleep } from "../../core/base/index.js";
import type { Growing } from "../../core/contract/index.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";

export interface MemoryStoreOptions {
  /** False: the store has no `append`. Default: true. */
  readonly append?: boolean;
  /** Milliseconds until a call takes effect, to stand for a store far away. Default: none, the next microtask. */
  readonly latency?: number;
  /** Default: "memory". */
  readonly name?: string;
}

/** A store in the memory of the process; growing unless it was made with `append: false`. */
export interface MemoryStore extends KeyvStorageAdapter, Partial<Growing> {}

/**
 * The reference store: what it does, every store does. Two of them share nothing; one given to two engines is to them
 * what a bucket is to two machines.
 *
 * @example
 * ```ts
 * const store = memoryStore();
 * const app = await engine("my-app", { stateStore: store });
 * ```
 */
export function memoryStore({ append = true, latency, name = "memory" }: MemoryStoreOptions = {}): MemoryStore {
  const values = new Map<string, string>();
  // Everything after the turn runs in one piece, which is what makes `create` and `append` atomic.
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
      values.set(key, value);
    },
    async deleteMany(keys) {
      await turn();
      return keys.filter((key) => values.delete(key)).length > 0;
    },
    async create(key, value) {
      await turn();
      if (values.has(key)) return false;
      values.set(key, value);
      return true;
    },
    async *list(prefix) {
      await turn();
      yield* [...values.keys()].filter((key) => key.startsWith(prefix)).sort();
    },
    ...(append ? growing : {}),
  };
  return withKeyvMethods(store);
}
