import { checkGiven, ignore, text } from "../../core/base/index.js";
import type { KeyvLike, StateStore } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";
import { Rooms } from "./rooms.js";
import { openSource, placeOf } from "./source.js";
import { KeyvValues } from "./values.js";

/** A store in a Keyv. */
export interface KeyvStore extends StateStore {
  readonly location: string;
  /** Disconnects a source that was made for this store; a given source stays connected. */
  close(): Promise<void>;
}

export interface KeyvUse {
  /** Only this store uses the source. */
  readonly isOwn: boolean;
  /** Emits a warning of the run. */
  warn?(code: string, message: string): void;
}

export function openKeyv(source: KeyvLike, options: KeyvStoreOptions, { isOwn, warn = ignore }: KeyvUse): KeyvStore {
  const opened = openSource(source, options);
  const { location, storage } = opened;
  const values = new KeyvValues(opened, warn);
  const rooms = new Rooms(values, placeOf(storage, opened.keyv.namespace));

  async function getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const found = await eachBounded(keys, (key) => values.get(values.storedKey(key)));
    const absent = keys.filter((_, at) => found[at] === undefined);
    const again = await rooms.each(absent, (room, own) => room.readAgain(own));
    const late = new Map(again.flatMap((one) => [...one]));
    return keys.map((key, at) => found[at] ?? late.get(key));
  }

  return {
    name: "keyv",
    location,
    ...(storage instanceof Map ? { local: true } : {}),
    async get(key) {
      const [value] = await getMany([key]);
      return value;
    },
    getMany,
    set: (key, value) => rooms.of(key).set(key, value),
    async deleteMany(keys) {
      const wereThere = await rooms.each(keys, (room, own) => room.remove(own));
      return wereThere.includes(true);
    },
    create: (key, value) => rooms.of(key).create(key, value),
    list: (prefix) => rooms.list(prefix),
    async close() {
      values.release();
      if (isOwn) await opened.disconnect();
    },
  };
}

/** Options of {@link keyvStore}. */
export interface KeyvStoreOptions {
  /**
   * Prefix of the keys, for an adapter or a `Map`; a Keyv has its own. Other data in the same place needs another
   * namespace. Default: `"scope-engine"`.
   */
  readonly namespace?: string;
  /** Location of the state for messages, without credentials. Default: the name of the adapter's class. */
  readonly location?: string;
}

/** @throws EngineError `INVALID_OPTION` */
export function checkKeyvOptions(user: string, options: KeyvStoreOptions): void {
  checkGiven(user, options, { namespace: text, location: text });
}
