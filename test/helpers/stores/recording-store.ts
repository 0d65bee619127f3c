import { memoryStore } from "../../../adapters/memory/index.js";
import type { Growing, StateStore } from "../../../core/contract/index.js";

export interface RecordingStore {
  readonly store: StateStore;
  /** Every key and prefix that was read or written, as `method key`. */
  readonly calls: string[];
}

/** A store in memory that records its requests. */
export function recordingStore({ append = true }: { readonly append?: boolean } = {}): RecordingStore {
  const inner = memoryStore();
  const calls: string[] = [];
  const note = (method: string, ...keys: string[]): void => void calls.push(...keys.map((key) => `${method} ${key}`));
  const growing: Growing = {
    append(key, chunk, fence, options) {
      note("append", key, fence);
      return inner.append?.(key, chunk, fence, options) ?? Promise.resolve(false);
    },
  };
  const store: StateStore = {
    name: "recording",
    get(key) {
      note("get", key);
      return inner.get(key);
    },
    getMany(keys) {
      note("getMany", ...keys);
      return inner.getMany(keys);
    },
    set(key, value) {
      note("set", key);
      return inner.set(key, value);
    },
    deleteMany(keys) {
      note("deleteMany", ...keys);
      return inner.deleteMany(keys);
    },
    create(key, value, options) {
      note("create", key);
      return inner.create(key, value, options);
    },
    list(prefix) {
      note("list", prefix);
      return inner.list(prefix);
    },
    ...(append ? growing : {}),
  };
  return { store, calls };
}
