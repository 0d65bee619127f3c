/** Rooms: groups of keys in a Keyv that share an index, because Keyv cannot list keys. */
import { eachBounded, KeyedMutex } from "../kit/bounded.js";
import type { KeyvValues } from "./values.js";

/** Key of the list of all rooms; the index of each room is below it. */
const ROOMS = "=index";

/**
 * Mutexes by name of the place, so that all clients of a process take turns, also those with separate connections. Two
 * places with the same name wait for each other unnecessarily.
 */
const mutexes = new Map<string, KeyedMutex>();

export class Rooms {
  readonly #values: KeyvValues;
  readonly #mutex: KeyedMutex;
  readonly #rooms = new Map<string, Room>();

  constructor(values: KeyvValues, place: string) {
    this.#values = values;
    this.#mutex = mutexes.get(place) ?? new KeyedMutex();
    mutexes.set(place, this.#mutex);
  }

  /** Returns the room of a key. */
  of(key: string): Room {
    return this.#named(roomOf(key));
  }

  /** Runs work once for each room of the keys, with its keys. */
  async each<T>(keys: readonly string[], work: (room: Room, keys: readonly string[]) => Promise<T>): Promise<T[]> {
    const rooms = new Map<string, string[]>();
    for (const key of keys) {
      const name = roomOf(key);
      const others = rooms.get(name);
      if (others) others.push(key);
      else rooms.set(name, [key]);
    }
    return eachBounded([...rooms], ([name, own]) => work(this.#named(name), own));
  }

  async *list(prefix: string): AsyncGenerator<string, void> {
    const name = roomOf(prefix);
    const names =
      name === "" ? ["", ...(await this.#known())].filter((one) => one === "" || one.startsWith(prefix)) : [name];
    for (const one of new Set(names)) yield* await this.#named(one).keys(prefix);
  }

  #named(name: string): Room {
    const known = this.#rooms.get(name);
    if (known) return known;
    const register = () => this.#register(name);
    const room = new Room({ name, at: `${ROOMS}/${name}`, values: this.#values, mutex: this.#mutex, register });
    this.#rooms.set(name, room);
    return room;
  }

  #register(name: string): Promise<void> {
    return this.#mutex.take(ROOMS, async () => {
      const known = await this.#known();
      if (!known.includes(name)) await this.#values.set(ROOMS, JSON.stringify([...known, name]));
    });
  }

  async #known(): Promise<readonly string[]> {
    const text = await this.#values.get(ROOMS);
    if (text === undefined) return [];
    const rooms = parseRooms(text);
    if (!rooms) throw this.#values.unreadable(ROOMS, "the value is not a list of names");
    return rooms;
  }
}

interface RoomSettings {
  /** Prefix of its keys. */
  readonly name: string;
  /** Key of its index. */
  readonly at: string;
  readonly values: KeyvValues;
  /** Shared by all clients of the place in this process. */
  readonly mutex: KeyedMutex;
  /** Adds the room to the list of all rooms. */
  register(): Promise<void>;
}

/**
 * The keys that share an index. They are changed one after the other, and the index is always written before the value.
 */
class Room {
  readonly #settings: RoomSettings;
  /** Names written by this client: they are not doubtful, whatever the index says. */
  readonly #written = new Set<string>();
  #isRegistered = false;

  constructor(settings: RoomSettings) {
    this.#settings = settings;
  }

  create(key: string, value: string): Promise<boolean> {
    return this.#exclusively(async () => {
      if ((await this.#read(key)) !== undefined) return false;
      const index = await this.#index();
      if (index.sure.has(this.#nameOf(key))) throw this.#lost(key);
      await this.#put(index, key, value);
      return true;
    });
  }

  set(key: string, value: string): Promise<void> {
    return this.#exclusively(async () => this.#put(await this.#index(), key, value));
  }

  /** Deletes keys. True if one of them existed. */
  remove(keys: readonly string[]): Promise<boolean> {
    return this.#exclusively(async () => {
      const names = new Set(keys.map((key) => this.#nameOf(key)));
      const index = await this.#index();
      const leaving = [...names].filter((name) => index.sure.has(name));
      const doubtful = new Set([...index.doubtful, ...leaving]);
      for (const name of names) this.#written.delete(name);
      if (leaving.length > 0) await this.#write({ sure: without(index.sure, names), doubtful });
      const { values } = this.#settings;
      const answers = await eachBounded(keys, (key) => values.remove(values.storedKey(key)));
      const isKnown = [...names].some((name) => doubtful.has(name));
      if (isKnown) await this.#write({ sure: without(index.sure, names), doubtful: without(doubtful, names) });
      return keys.some((key, at) => answers[at] === true && doubtful.has(this.#nameOf(key)));
    });
  }

  /** Lists the keys as of the read of the index; each doubtful key is read now. */
  async keys(prefix: string): Promise<string[]> {
    const { name } = this.#settings;
    const { sure, doubtful } = await this.#index();
    const matching = (names: ReadonlySet<string>) =>
      [...names].map((one) => name + one).filter((key) => key.startsWith(prefix));
    const asked = matching(doubtful);
    const found = await eachBounded(asked, (key) => this.#read(key));
    return [...matching(sure), ...asked.filter((_, at) => found[at] !== undefined)];
  }

  /**
   * Reads keys again that had no value, because they may have been created since then.
   *
   * @throws EngineError `STORE_FAILED` if a value must exist but is missing: it was evicted, or the adapter hides an
   * error
   */
  async readAgain(keys: readonly string[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const { sure } = await this.#index();
    for (const key of keys) {
      if (!sure.has(this.#nameOf(key))) continue;
      const value = await this.#read(key);
      if (value !== undefined) found.set(key, value);
      else if ((await this.#index()).sure.has(this.#nameOf(key))) throw this.#lost(key);
    }
    return found;
  }

  async #put(index: RoomIndex, key: string, value: string): Promise<void> {
    const { values } = this.#settings;
    const name = this.#nameOf(key);
    if (!index.sure.has(name) && !index.doubtful.has(name)) {
      const { sure, doubtful } = await this.#settled(index);
      await this.#write({ sure, doubtful: new Set([...doubtful, name]) });
    }
    await values.set(values.storedKey(key), value);
    this.#written.add(name);
  }

  /**
   * Clears the doubts about existing values. A missing value stays doubtful, because its write may still be on its way.
   */
  async #settled({ sure, doubtful }: RoomIndex): Promise<RoomIndex> {
    const { name } = this.#settings;
    const names = [...doubtful];
    const isThere = await eachBounded(
      names,
      async (one) => this.#written.has(one) || (await this.#read(name + one)) !== undefined,
    );
    const cleared = new Set(names.filter((_, at) => isThere[at]));
    this.#written.clear();
    return { sure: new Set([...sure, ...cleared]), doubtful: without(doubtful, cleared) };
  }

  async #index(): Promise<RoomIndex> {
    const { values, at } = this.#settings;
    const text = await values.get(at);
    if (text === undefined) {
      this.#isRegistered = false;
      return EMPTY;
    }
    const index = parseIndex(text);
    if (!index) throw values.unreadable(at, "the value is not a list of keys");
    return index;
  }

  async #write(index: RoomIndex): Promise<void> {
    const { values, at, register } = this.#settings;
    // Before its index, because an unregistered room could not be found.
    if (!this.#isRegistered) await register();
    this.#isRegistered = true;
    await values.set(at, printIndex(index));
  }

  #read(key: string): Promise<string | undefined> {
    const { values } = this.#settings;
    return values.get(values.storedKey(key));
  }

  #exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#settings.mutex.take(this.#settings.at, work);
  }

  #nameOf(key: string): string {
    return key.slice(this.#settings.name.length);
  }

  #lost(key: string): Error {
    return this.#settings.values.unreadable(
      key,
      "the engine wrote this value and did not delete it, but it is missing",
    );
  }
}

/**
 * The keys of one room as one value, because Keyv cannot list keys. A name is sure, or it is doubtful: it was about to
 * be written or deleted. Then only the value itself shows whether it exists, also after a process was killed.
 */
interface RoomIndex {
  readonly sure: ReadonlySet<string>;
  readonly doubtful: ReadonlySet<string>;
}

const EMPTY: RoomIndex = { sure: new Set(), doubtful: new Set() };

/** Returns the prefix of a room's keys: app and stage; "" for keys with fewer than two slashes. */
function roomOf(key: string): string {
  const second = key.indexOf("/", key.indexOf("/") + 1);
  return key.slice(0, second + 1);
}

/** Returns undefined if the text is not an index. */
function parseIndex(text: string): RoomIndex | undefined {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || !("sure" in value) || !("doubtful" in value)) return undefined;
  if (!isTexts(value.sure) || !isTexts(value.doubtful)) return undefined;
  return { sure: new Set(value.sure), doubtful: new Set(value.doubtful) };
}

function printIndex({ sure, doubtful }: RoomIndex): string {
  return JSON.stringify({ sure: [...sure], doubtful: [...doubtful] });
}

/** Returns undefined if the text is not a list of rooms. */
function parseRooms(text: string): readonly string[] | undefined {
  const value = parseJson(text);
  return isTexts(value) ? value : undefined;
}

function without(names: ReadonlySet<string>, others: ReadonlySet<string>): Set<string> {
  return new Set([...names].filter((name) => !others.has(name)));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
