/** How workers open a store in files, and stores that break one promise each. */
import { fsStoreAt } from "../../adapters/fs/index.js";
import type { StateStore } from "../../core/contract/index.js";

/** Where a worker finds `STORES`. */
export const module: string = import.meta.url;

function segments(location: string): StateStore {
  return fsStoreAt(location);
}

function entries(location: string): StateStore {
  return fsStoreAt(location, { append: false });
}

/** Breaks: an append says true only where the fence is not there. */
function ignoresTheFence(location: string): StateStore {
  const store = fsStoreAt(location);
  const append: typeof store.append = async (...args) => {
    await store.append?.(...args);
    return true;
  };
  return { ...store, append } as StateStore;
}

/** Breaks: what exists is not created again. The same value once more, by which it could be found out, is refused. */
function overwrites(location: string): StateStore {
  const store = entries(location);
  return {
    ...store,
    async create(key, value, options) {
      if (await store.create(key, value, options)) return true;
      if ((await store.get(key)) === value || !key.includes("/journal/")) return false;
      await store.set(key, value);
      return true;
    },
  };
}

/** Breaks: what was acknowledged stays. Every fifth line is gone as soon as it is there. */
function forgets(location: string): StateStore {
  const store = fsStoreAt(location);
  let count = 0;
  const append: typeof store.append = (key, chunk, fence, options) =>
    store.append?.(key, ++count % 5 === 0 ? "" : chunk, fence, options) ?? false;
  return { ...store, append } as StateStore;
}

/** By the name that a worker is told; each opens the store at a location. */
export const STORES = { segments, entries, ignoresTheFence, overwrites, forgets } satisfies Record<
  string,
  (location: string) => StateStore
>;
