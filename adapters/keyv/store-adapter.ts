/** The other way round: any store as a storage adapter of Keyv. */
import { missingMethods, type StateStore } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";
import { invalid } from "../kit/options.js";

/**
 * A store as the storage adapter that `new Keyv({ store })` takes.
 *
 * Where it has a namespace, it takes no key outside of it. It has no `has`: Keyv then reads the value, and knows whether that
 * has expired.
 */
export interface KeyvStorageAdapter {
  /** Keyv looks here for what an adapter is, and iterates over those alone whose dialect it knows. */
  readonly opts: { readonly dialect: string; readonly url: string };
  /** Set by Keyv, which puts it with a colon in front of its keys. */
  namespace?: string;
  get(key: string): Promise<string | undefined>;
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  set(key: string, value: string): Promise<void>;
  /** True for each that was set; of several values for one key the last one is. */
  setMany(entries: readonly { readonly key: string; readonly value: string }[]): Promise<boolean[]>;
  /** True when the key was there. */
  delete(key: string): Promise<boolean>;
  /** True when one of them was there. */
  deleteMany(keys: string[]): Promise<boolean>;
  /** Deletes what is in the namespace. Without one it rejects, for all that is in the store, states too, would go. */
  clear(): Promise<void>;
  /** All keys with their values, or those of one namespace, under the keys that Keyv gave. */
  iterator(namespace?: string): AsyncGenerator<[string, string], void>;
  /** Closes the store. */
  disconnect(): Promise<void>;
  /** `error`: a `get` has failed. It rejects, too, but of this one Keyv says nothing unless it has `throwOnErrors`. */
  on(event: "error", listener: (error: unknown) => void): this;
  off(event: "error", listener: (error: unknown) => void): this;
}

type Listener = (error: unknown) => void;

/** One of those that Keyv knows to have an iterator; it looks at this for nothing else. */
const ITERABLE = "redis";
/** As many as the engine asks for at most: a store need not take more keys at once. */
const BATCH = 64;

export class StoreAdapter implements KeyvStorageAdapter {
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace?: string;
  readonly #store: StateStore;
  readonly #listeners = new Set<Listener>();

  /** @throws EngineError `INVALID_OPTION` */
  constructor(store: StateStore) {
    const missing = missingMethods(store).map((name) => `${name}()`);
    if (missing.length > 0)
      throw invalid(`asKeyvAdapter() takes a store, and this is one without ${missing.join(", ")}.`);
    this.#store = store;
    this.opts = { dialect: ITERABLE, url: store.location ?? store.name };
  }

  async get(key: string): Promise<string | undefined> {
    try {
      this.#check([key]);
      return await this.#store.get(key);
    } catch (error) {
      for (const listener of this.#listeners) listener(error);
      throw error;
    }
  }

  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    this.#check(keys);
    const values = await eachBounded(batchesOf(keys), (batch) => this.#store.getMany(batch));
    return values.flat();
  }

  async set(key: string, value: string): Promise<void> {
    this.#check([key]);
    await this.#store.set(key, value);
  }

  async setMany(entries: readonly { readonly key: string; readonly value: string }[]): Promise<boolean[]> {
    // Two values for one key, set at once, would leave either.
    const values = new Map(entries.map(({ key, value }) => [key, value]));
    await eachBounded([...values], ([key, value]) => this.set(key, value));
    return entries.map(() => true);
  }

  delete(key: string): Promise<boolean> {
    return this.deleteMany([key]);
  }

  async deleteMany(keys: string[]): Promise<boolean> {
    this.#check(keys);
    return await this.#store.deleteMany(keys);
  }

  async clear(): Promise<void> {
    if (!this.namespace) {
      throw invalid(
        `To clear a Keyv without a namespace would delete all that is in ${this.opts.url}. Give the Keyv a namespace.`,
      );
    }
    const keys = await this.#keysIn(this.namespace);
    if (keys.length > 0) await this.#store.deleteMany(keys);
  }

  async *iterator(namespace?: string): AsyncGenerator<[string, string], void> {
    for (const batch of batchesOf(await this.#keysIn(namespace))) {
      const values = await this.#store.getMany(batch);
      for (const [at, key] of batch.entries()) {
        const value = values[at];
        // Others may have deleted it meanwhile.
        if (value !== undefined) yield [key, value];
      }
    }
  }

  async disconnect(): Promise<void> {
    await this.#store.close?.();
  }

  on(event: "error", listener: Listener): this {
    // From JavaScript any event may be asked for.
    if (event === "error") this.#listeners.add(listener);
    return this;
  }

  off(_event: "error", listener: Listener): this {
    this.#listeners.delete(listener);
    return this;
  }

  async #keysIn(namespace: string | undefined): Promise<string[]> {
    const keys: string[] = [];
    for await (const key of this.#store.list(prefixOf(namespace))) keys.push(key);
    return keys;
  }

  /** @throws EngineError `INVALID_OPTION` for a key that `clear` and `iterator` would not find again */
  #check(keys: readonly string[]): void {
    const prefix = prefixOf(this.namespace);
    const outside = keys.find((key) => !key.startsWith(prefix));
    if (outside === undefined) return;
    throw invalid(
      `The key "${outside}" is outside of the namespace "${this.namespace}". Give each Keyv an adapter of its own, and leave its useKeyPrefix as it is.`,
    );
  }
}

/** Keyv has none where it is empty. */
function prefixOf(namespace: string | undefined): string {
  return namespace ? `${namespace}:` : "";
}

function batchesOf(keys: readonly string[]): string[][] {
  const count = Math.ceil(keys.length / BATCH);
  return Array.from({ length: count }, (_, at) => keys.slice(at * BATCH, (at + 1) * BATCH));
}
