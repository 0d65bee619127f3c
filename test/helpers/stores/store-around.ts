/** Stores that wrap each call of a real one: to record it, to delay it, or to fail it. */
import { type Growing, isGrowing, type StateStore, type WriteOptions } from "../../../core/contract/index.js";

export type StoreOperation = "get" | "getMany" | "set" | "deleteMany" | "create" | "append" | "list";

export interface StoreCall {
  readonly op: StoreOperation;
  /** The key, the prefix of a list, or the first of many keys. */
  readonly key: string;
  readonly keys: readonly string[];
  readonly value?: string;
  readonly options?: WriteOptions;
}

/** @param act makes the call, with all its effects, and returns the answer */
export type Around = <T>(call: StoreCall, act: () => Promise<T>) => Promise<T>;

/** The calls that the engine makes. */
export function storeAround(store: StateStore, around: Around): StateStore {
  const one = (op: StoreOperation, key: string, more: Partial<StoreCall> = {}): StoreCall => ({
    op,
    key,
    keys: [key],
    ...more,
  });
  const growing: Partial<Growing> = isGrowing(store)
    ? {
        append: (key, value, fence, options) =>
          around(one("append", key, { value, options }), async () => store.append(key, value, fence, options)),
      }
    : {};
  return {
    ...store,
    get: (key) => around(one("get", key), () => store.get(key)),
    getMany: (keys) => around({ op: "getMany", key: keys[0] ?? "", keys }, () => store.getMany(keys)),
    set: (key, value) => around(one("set", key, { value }), () => store.set(key, value)),
    deleteMany: (keys) => around({ op: "deleteMany", key: keys[0] ?? "", keys }, () => store.deleteMany(keys)),
    create: (key, value, options) =>
      around(one("create", key, { value, options }), () => store.create(key, value, options)),
    async *list(prefix) {
      yield* await around(one("list", prefix), async () => {
        const keys: string[] = [];
        for await (const key of store.list(prefix)) keys.push(key);
        return keys;
      });
    },
    ...growing,
  };
}

/** The same data through a client without `append`. */
export function withoutAppend(store: StateStore): StateStore {
  return Object.assign({ ...store }, { append: undefined });
}

export interface RecordingStore {
  readonly store: StateStore;
  readonly calls: StoreCall[];
  /** `op room/number` of each call so far, e.g. `create journal/1`; clears the list. */
  take(): string[];
}

export function recordingStore(inner: StateStore): RecordingStore {
  const calls: StoreCall[] = [];
  const store = storeAround(inner, (call, act) => {
    calls.push(call);
    return act();
  });
  return { store, calls, take: () => calls.splice(0).map(described) };
}

/** `create journal/1`: without the stage, and without leading zeros. */
export function described({ op, key, keys }: StoreCall): string {
  const [, , room, name = ""] = key.split("/");
  const number = name.replace(/^0+(?=\d)/, "");
  return `${op}${room === undefined || room === "" ? "" : ` ${room}`}${number === "" ? "" : `/${number}`}${keys.length > 1 ? ` and ${keys.length - 1} more` : ""}`;
}

/** The fault of a call: it fails without effect, or it takes effect and its answer is lost. */
export type Fault = "refused" | "lost";

/** @param fault asked before each call */
export function faultyStore(inner: StateStore, fault: (call: StoreCall) => Fault | undefined): StateStore {
  return storeAround(inner, async (call, act) => {
    const kind = fault(call);
    if (kind === "refused") throw new Error(`${call.op} was refused`);
    const answer = await act();
    if (kind === "lost") throw new Error(`the answer to ${call.op} was lost`);
    return answer;
  });
}
