/** All rooms of a store. */
import { eachBounded } from "../kit/bounded.js";
import { KeyedMutex } from "../kit/keyed-mutex.js";
import { parseRooms, roomOf } from "./key-index.js";
import { Room } from "./room.js";
import type { KeyvValues } from "./values.js";

/** Holds the names of all rooms; the index of each is below it. */
const ROOMS = "=index";

/**
 * By the name of the place, so that all clients of one process take turns, also those with connections of their own. Two places of one
 * name wait for each other without need.
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

  /** The room of a key. */
  of(key: string): Room {
    return this.#named(roomOf(key));
  }

  /** Does some work once for each room of the keys, with its keys. */
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
    if (!rooms) throw this.#values.unreadable(ROOMS, "it is not the list of names that it should be");
    return rooms;
  }
}
