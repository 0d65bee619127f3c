/** A store as what `new Keyv({ store })` takes, so that a program keeps its caches where its state is. */
import { typeName } from "../../core/base/index.js";
import { type Growing, isGrowing, missingMethods, type StateStore } from "../../core/contract/index.js";
import { eachBounded } from "./bounded.js";
import { invalid } from "./options.js";

/**
 * A store that is a storage adapter of Keyv, too. `get`, `getMany`, `set` and `deleteMany` serve both.
 *
 * Keyv puts its namespace and a colon in front of each key. Keys of states hold no colon, so the two can share a store.
 */
export interface KeyvStorageAdapter extends StateStore {
  /** Keyv looks here for what an adapter is, and iterates over those alone whose dialect it knows. */
  readonly opts: Record<string, unknown> & { readonly dialect: string; readonly url: string };
  /** Set by Keyv. `clear` works on this namespace; no other method looks at it. */
  namespace?: string | undefined;
  /** @param ttl not used: Keyv writes the time of expiry into the value, and looks at it when it reads */
  set(key: string, value: string, ttl?: number): Promise<void>;
  /**
   * Sets values at once, not all or none; of several for one key the last one stays. Resolves with true for each, which Keyv expects,
   * though its types say nothing of it.
   */
  setMany(entries: readonly { readonly key: string; readonly value: string; readonly ttl?: number }[]): Promise<void>;
  /** False for a value of Keyv that has expired, unless the Keyv has a `serialize` that writes no JSON. */
  has(key: string): Promise<boolean>;
  /** True when the key was there. */
  delete(key: string): Promise<boolean>;
  /**
   * Deletes what is in the namespace.
   *
   * @throws EngineError `INVALID_OPTION` without a namespace, for all states in the store would go; and if the adapter was
   * given to Keyvs of several namespaces, because it is not told which of them is meant
   */
  clear(): Promise<void>;
  /** All keys with their values, or those of one namespace, under the keys that Keyv gave. */
  iterator(namespace?: string): AsyncGenerator<[string, string], void>;
  /** Closes the store. */
  disconnect(): Promise<void>;
  /** `error`: a `get` has failed. It rejects, too, but a Keyv without `throwOnErrors` says nothing of it. */
  on(event: string, listener: (error: unknown) => void): this;
  off(event: string, listener: (error: unknown) => void): this;
}

/** Without what {@link withKeyvMethods} adds. */
export type PlainStore<Adapter extends KeyvStorageAdapter> = Omit<
  Adapter,
  Exclude<keyof KeyvStorageAdapter, keyof StateStore>
>;

type Listener = (error: unknown) => void;

/** One of those that Keyv knows to have an iterator; it looks at this for nothing else. */
const ITERABLE = "redis";
/** As many as the engine asks for at most: a store need not take more keys at once. */
const BATCH = 64;

/**
 * Any store as a storage adapter of Keyv. What it returns is a store, too. The stores of this package are such adapters
 * by themselves; this is for a store of your own.
 *
 * @throws EngineError `INVALID_OPTION` for what is no store
 * @example
 * ```ts
 * const cache = new Keyv({ store: asKeyvAdapter(myStore), namespace: "prices", throwOnErrors: true });
 * ```
 */
export function asKeyvAdapter(store: StateStore): KeyvStorageAdapter & Partial<Growing> {
  if (typeof store !== "object" || store === null) {
    const hint = typeof store === "function" ? " fsStoreAt() and the like give one, fsStore() gives a function." : "";
    throw invalid(`asKeyvAdapter() takes a store, not ${typeName(store)}.${hint}`);
  }
  const missing = missingMethods(store).map((name) => `${name}()`);
  if (missing.length > 0)
    throw invalid(`asKeyvAdapter() takes a store, and this is one without ${missing.join(", ")}.`);
  // A store may be an instance of a class, whose methods need it.
  const plain: StateStore & Partial<Growing> = {
    name: store.name,
    location: store.location,
    local: store.local,
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

/** @param store its methods need no `this` */
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
    // Two values for one key, set at once, would leave either.
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
          `clear() is not told which namespace is meant: this adapter has had ${shown(namespaces)}. Give each Keyv an adapter of its own.`,
        );
      }
      if (!within) {
        throw invalid(
          `To clear a Keyv without a namespace would delete all that is in ${adapter.opts.url}. Give the Keyv a namespace.`,
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
          // Others may have deleted it meanwhile.
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

/** @throws EngineError `INVALID_OPTION` for what a Keyv without `serialize` gives */
function text(value: unknown): string {
  if (typeof value === "string") return value;
  throw invalid(`A store keeps texts, and this Keyv gives ${typeof value}s: its serialize has to return a string.`);
}

/** By what Keyv writes around a value. */
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
  return [...namespaces].map((one) => (one === "" ? "none" : `"${one}"`)).join(" and ");
}

function batchesOf(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / BATCH);
  return Array.from({ length: count }, (_, at) => keys.slice(at * BATCH, (at + 1) * BATCH));
}
