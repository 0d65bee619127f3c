import type { StateStore } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";
import type { KeyvStoreOptions } from "./options.js";
import { Rooms } from "./rooms.js";
import { type KeyvSource, openSource } from "./source.js";
import { KeyvValues } from "./values.js";

/** A store in a Keyv. */
export interface KeyvStore extends StateStore {
  readonly location: string;
  /** Disconnects what was made for this store alone, and nothing that was handed over. */
  close(): Promise<void>;
}

/** @param isOwn nobody else uses the source */
export function openKeyv(source: KeyvSource, options: KeyvStoreOptions, isOwn: boolean): KeyvStore {
  const opened = openSource(source, options);
  const { location, storage } = opened;
  const values = new KeyvValues(opened);
  const rooms = new Rooms(values, storage);

  async function getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const found = await eachBounded(keys, (key) => values.get(values.placeOf(key)));
    const absent = keys.filter((_, at) => found[at] === undefined);
    const again = await rooms.each(absent, (room, own) => room.lookAgain(own));
    const late = new Map(again.flatMap((one) => [...one]));
    return keys.map((key, at) => found[at] ?? late.get(key));
  }
  const listed = async (prefix: string): Promise<string[]> => {
    const keys: string[] = [];
    for await (const key of rooms.list(prefix)) keys.push(key);
    return keys;
  };
  const removeAll = async (keys: readonly string[]): Promise<boolean> => {
    const wereThere = await rooms.each(keys, (room, own) => room.remove(own));
    return wereThere.includes(true);
  };

  const store: KeyvStore = {
    name: "keyv",
    location,
    ...(storage instanceof Map ? { local: true } : {}),
    namespace: undefined,
    async get(key) {
      const [value] = await getMany([key]);
      return value;
    },
    getMany,
    async has(key) {
      return (await store.get(key)) !== undefined;
    },
    set: (key, value) => rooms.of(key).set(new Map([[key, value]])),
    async setMany(entries) {
      const all = new Map(entries.map(({ key, value }) => [key, value]));
      await rooms.each([...all.keys()], (room, own) => room.set(new Map(own.map((key) => [key, all.get(key) ?? ""]))));
    },
    delete: (key) => removeAll([key]),
    deleteMany: removeAll,
    async clear() {
      await removeAll(await listed(prefixOf(this.namespace)));
    },
    async *iterator(namespace) {
      for (const key of await listed(prefixOf(namespace))) {
        const value = await store.get(key);
        if (value !== undefined) yield [key, value];
      }
    },
    create: (key, value) => rooms.of(key).create(key, value),
    list: (prefix) => rooms.list(prefix),
    async close() {
      values.release();
      if (isOwn) await opened.disconnect();
    },
  };
  return store;
}

/** Keyv puts the namespace of a key in front of it. */
function prefixOf(namespace: string | undefined): string {
  return namespace === undefined ? "" : `${namespace}:`;
}
