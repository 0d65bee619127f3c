/** The other way round: any store as a storage adapter of Keyv. */
import { EventEmitter } from "node:events";
import type { StateStore } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";

/** A store as the storage adapter that `new Keyv({ store })` takes. */
export interface KeyvStorageAdapter {
  /** Keyv looks here for what an adapter is, and iterates over those alone whose dialect it knows. */
  readonly opts: { readonly dialect: string; readonly url: string };
  /** What Keyv puts in front of its keys, set by Keyv; `clear` stays within it. */
  namespace?: string;
  get(key: string): Promise<string | undefined>;
  getMany(keys: string[]): Promise<(string | undefined)[]>;
  has(key: string): Promise<boolean>;
  hasMany(keys: string[]): Promise<boolean[]>;
  set(key: string, value: string): Promise<void>;
  setMany(entries: readonly { readonly key: string; readonly value: string }[]): Promise<void>;
  /** True when the key was there. */
  delete(key: string): Promise<boolean>;
  /** True when one of them was there. */
  deleteMany(keys: string[]): Promise<boolean>;
  clear(): Promise<void>;
  /** All keys with their values, or those of one namespace, under the keys that Keyv gave. */
  iterator(namespace?: string): AsyncGenerator<[string, string], void>;
  /** Closes the store. */
  disconnect(): Promise<void>;
  /** `error`: a call has failed. It rejects, too; Keyv keeps silent about some that reject. */
  on(event: "error", listener: (error: unknown) => void): this;
  off(event: "error", listener: (error: unknown) => void): this;
}

/** One of those that Keyv knows to have an iterator; it looks at this for nothing else. */
const ITERABLE = "redis";
/** So many values are read at once while Keyv iterates. */
const BATCH = 64;

export class StoreAdapter extends EventEmitter implements KeyvStorageAdapter {
  readonly opts: { readonly dialect: string; readonly url: string };
  namespace?: string;
  readonly #store: StateStore;

  constructor(store: StateStore) {
    super();
    this.#store = store;
    this.opts = { dialect: ITERABLE, url: store.location ?? store.name };
  }

  get(key: string): Promise<string | undefined> {
    return this.#tell(() => this.#store.get(key));
  }

  getMany(keys: string[]): Promise<(string | undefined)[]> {
    return this.#tell(() => this.#store.getMany(keys));
  }

  async has(key: string): Promise<boolean> {
    return (await this.get(key)) !== undefined;
  }

  async hasMany(keys: string[]): Promise<boolean[]> {
    return (await this.getMany(keys)).map((value) => value !== undefined);
  }

  set(key: string, value: string): Promise<void> {
    return this.#tell(() => this.#store.set(key, value));
  }

  async setMany(entries: readonly { readonly key: string; readonly value: string }[]): Promise<void> {
    // Of two values for one key the later one: one after the other would be slow, and at once would be chance.
    const values = new Map(entries.map(({ key, value }) => [key, value]));
    await this.#tell(() => eachBounded([...values], ([key, value]) => this.#store.set(key, value)));
  }

  delete(key: string): Promise<boolean> {
    return this.deleteMany([key]);
  }

  deleteMany(keys: string[]): Promise<boolean> {
    return this.#tell(() => this.#store.deleteMany(keys));
  }

  async clear(): Promise<void> {
    const keys = await this.#keysIn(this.namespace);
    if (keys.length > 0) await this.deleteMany(keys);
  }

  async *iterator(namespace?: string): AsyncGenerator<[string, string], void> {
    const keys = await this.#keysIn(namespace);
    for (let start = 0; start < keys.length; start += BATCH) {
      const batch = keys.slice(start, start + BATCH);
      const values = await this.getMany(batch);
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

  /** Keyv puts the namespace of a key in front of it. */
  #keysIn(namespace: string | undefined): Promise<string[]> {
    const prefix = namespace === undefined ? "" : `${namespace}:`;
    return this.#tell(async () => {
      const keys: string[] = [];
      for await (const key of this.#store.list(prefix)) keys.push(key);
      return keys;
    });
  }

  async #tell<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // An `error` that nobody listens to would be thrown in place of this one.
      if (this.listenerCount("error") > 0) this.emit("error", error);
      throw error;
    }
  }
}
