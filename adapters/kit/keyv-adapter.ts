/** Makes a store usable for `new Keyv({ store })`, so that a program can keep its caches in the store of its state. */
import { typeName } from "../../core/base/index.js";
import { type Growing, isGrowing, missingMethods, type StateStore } from "../../core/contract/index.js";
import { eachBounded } from "./bounded.js";
import { invalid } from "./options.js";

/**
 * A store that is also a storage adapter of Keyv. Both use `get`, `getMany`, `set` and `deleteMany`.
 *
 * Keyv adds its namespace and a colon to each key. Keys of states contain no colon, so both can share a store.
 */
export interface KeyvStorageAdapter extends StateStore {
  /** Description of the adapter for Keyv, which iterates only over adapters with a known dialect. */
  readonly opts: Record<string, unknown> & { readonly dialect: string; readonly url: string };
  /** Namespace, set by Keyv. Only `clear` uses it. */
  namespace?: string | undefined;
  /** @param ttl not used: Keyv writes the time of expiry into the value, and checks it on reads */
  set(key: string, value: string, ttl?: number): Promise<void>;
  /**
   * Sets values in parallel, but not atomically. If there are several for one key, the last one stays. Resolves with
   * true for each, which Keyv expects although its types do not say so.
   */
  setMany(entries: readonly { readonly key: string; readonly value: string; readonly ttl?: number }[]): Promise<void>;
  /** False for an expired value of Keyv, unless the Keyv has a `serialize` that does not write JSON. */
  has(key: string): Promise<boolean>;
  /** Deletes a key. True if it existed. */
  delete(key: string): Promise<boolean>;
  /**
   * Deletes all keys of the namespace.
   *
   * @throws EngineError `INVALID_OPTION` without a namespace, because all states in the store would be deleted; and if
   * Keyvs of several namespaces use the adapter, because it does not know which one is meant
   */
  clear(): Promise<void>;
  /** Yields all keys with their values, or those of one namespace, with the keys that Keyv used. */
  iterator(namespace?: string): AsyncGenerator<[string, string], void>;
  /** Closes the store. */
  disconnect(): Promise<void>;
  /** Adds a listener. `error`: a `get` failed. It rejects, too, but a Keyv without `throwOnErrors` ignores that. */
  on(event: string, listener: (error: unknown) => void): this;
  off(event: string, listener: (error: unknown) => void): this;
}

/** A store without the methods that {@link withKeyvMethods} adds. */
export type PlainStore<Adapter extends KeyvStorageAdapter> = Omit<
  Adapter,
  Exclude<keyof KeyvStorageAdapter, keyof StateStore>
>;

type Listener = (error: unknown) => void;

/** A dialect that has an iterator for Keyv, which uses it for nothing else. */
const ITERABLE = "redis";
/** The maximum of keys in one request of the engine: a store need not accept more. */
const BATCH = 64;

/**
 * Returns any store as a storage adapter of Keyv. The result is a store, too. The stores of this package already are
 * such adapters; this function is for your own store.
 *
 * @throws EngineError `INVALID_OPTION` for a value that is not a store
 * @example
 * ```ts
 * const cache = new Keyv({ store: asKeyvAdapter(myStore), namespace: "prices", throwOnErrors: true });
 * ```
 */
export function asKeyvAdapter(store: StateStore): KeyvStorageAdapter & Partial<Growing> {
  if (typeof store !== "object" || store === null) {
    const hint =
      typeof store === "function"
        ? " fsStore() and similar functions return a function. Pass the store that fsStoreAt() or a similar function returns."
        : "";
    throw invalid(`asKeyvAdapter() takes a store, not ${typeName(store)}.${hint}`);
  }
  const missing = missingMethods(store).map((name) => `${name}()`);
  if (missing.length > 0)
    throw invalid(`asKeyvAdapter() takes a store, but the given object has no ${missing.join(", ")}.`);
  // The methods of a class instance need `this`.
  const plain: StateStore & Partial<Growing> = {
    name: store.name,
    location: store.location,
    local: store.local,
    ...(store.ignoresLateWrites && { ignoresLateWrites: true }),
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    set: (key, value) => store.set(key, value),
    deleteMany: (keys) => store.deleteMany(keys),
    create: (key, value, options) => store.create(key, value, options),
    list: (prefix) => store.list(prefix),
    ...(isGrowing(store) ? { append: (...values: Parameters<Growing["append"]>) => store.append(...values) } : {}),
    close: async () => store.close?.(),
  };
  return withKeyvMethods(plain);
}

/** @param store a store whose methods do not need `this` */
export function withKeyvMethods<Store extends StateStore>(store: Store): Store & KeyvStorageAdapter {
  const listeners = new Set<Listener>();
  const namespaces = new Set<string>();
  let namespace: string | undefined;

  async function read(key: string): Promise<string | undefined> {
    try {
      return await store.get(key);
    } catch (error) {
      for (const listener of listeners) listener(error);
      throw error;
    }
  }

  async function keysIn(within: string | undefined): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of store.list(within ? `${within}:` : "")) keys.push(key);
    return keys;
  }

  async function setAll(entries: Parameters<KeyvStorageAdapter["setMany"]>[0]): Promise<unknown> {
    // Of two values for one key, set in parallel, either could stay.
    const values = new Map(entries.map(({ key, value }) => [key, text(value)]));
    await eachBounded([...values], ([key, value]) => store.set(key, value));
    return entries.map(() => true);
  }

  const adapter: Store & KeyvStorageAdapter = {
    ...store,
    opts: { dialect: ITERABLE, url: store.location ?? store.name },
    get namespace() {
      return namespace;
    },
    set namespace(value) {
      namespace = value;
      namespaces.add(value ?? "");
    },
    get: (key) => (listeners.size === 0 ? store.get(key) : read(key)),
    async getMany(keys) {
      if (keys.length <= BATCH) return store.getMany(keys);
      return (await eachBounded(batchesOf(keys), (batch) => store.getMany(batch))).flat();
    },
    set: async (key, value) => store.set(key, text(value)),
    setMany: setAll as KeyvStorageAdapter["setMany"],
    async has(key) {
      const value = await read(key);
      return value !== undefined && !hasExpired(value);
    },
    delete: (key) => store.deleteMany([key]),
    async clear() {
      const [within, ...others] = namespaces;
      if (others.length > 0) {
        throw invalid(
          `clear() cannot know which namespace to clear, because this adapter is used with several namespaces: ${shown(namespaces)}. Give each Keyv its own adapter.`,
        );
      }
      if (!within) {
        throw invalid(
          `clear() of a Keyv without a namespace would delete everything in ${adapter.opts.url}. Give the Keyv a namespace.`,
        );
      }
      const keys = await keysIn(within);
      if (keys.length > 0) await store.deleteMany(keys);
    },
    async *iterator(within) {
      for (const batch of batchesOf(await keysIn(within))) {
        const values = await store.getMany(batch);
        for (const [at, key] of batch.entries()) {
          const value = values[at];
          // Another process may have deleted it.
          if (value !== undefined) yield [key, value];
        }
      }
    },
    async disconnect() {
      await store.close?.();
    },
    on(event, listener) {
      if (event === "error") listeners.add(listener);
      return adapter;
    },
    off(_event, listener) {
      listeners.delete(listener);
      return adapter;
    },
  };
  return adapter;
}

/** @throws EngineError `INVALID_OPTION` for the values of a Keyv without `serialize` */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw invalid(
    `A store keeps only strings, but this Keyv passes a value of type ${typeof value}. Create the Keyv with a serialize function that returns a string.`,
  );
}

/** Checks the time of expiry that Keyv writes into a value. */
function hasExpired(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    const expires: unknown = typeof parsed === "object" && parsed !== null ? Reflect.get(parsed, "expires") : undefined;
    return typeof expires === "number" && expires <= Date.now();
  } catch {
    return false;
  }
}

function shown(namespaces: ReadonlySet<string>): string {
  return [...namespaces].map((one) => (one === "" ? "no namespace" : `"${one}"`)).join(" and ");
}

function batchesOf(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / BATCH);
  return Array.from({ length: count }, (_, at) => keys.slice(at * BATCH, (at + 1) * BATCH));
}
