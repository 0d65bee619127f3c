/** Stores in files as workers open them, and stores that break one promise each. */
import { fsStoreAt } from "../../adapters/fs/index.js";
import type { StateStore } from "../../core/contract/index.js";

/** The module in which a worker finds `STORES`. */
export const module: string = import.meta.url;

function segments(location: string): StateStore {
  return fsStoreAt(location);
}

function entries(location: string): StateStore {
  return fsStoreAt(location, { append: false });
}

/** Breaks: an append succeeds only without the fence. */
function ignoresTheFence(location: string): StateStore {
  const store = fsStoreAt(location);
  const append: typeof store.append = async (...args) => {
    await store.append?.(...args);
    return true;
  };
  return { ...store, append } as StateStore;
}

/** Breaks: an existing key is not created again. A second copy of the same value, which would reveal it, is refused. */
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

/** Breaks: an acknowledged line stays. Every fifth line is deleted as soon as it is written. */
function forgets(location: string): StateStore {
  const store = fsStoreAt(location);
  let count = 0;
  const append: typeof store.append = (key, chunk, fence, options) =>
    store.append?.(key, ++count % 5 === 0 ? "" : chunk, fence, options) ?? false;
  return { ...store, append } as StateStore;
}

/** By the name that a worker gets; each opens the store at a location. */
export const STORES = { segments, entries, ignoresTheFence, overwrites, forgets } satisfies Record<
  string,
  (location: string) => StateStore
>;
