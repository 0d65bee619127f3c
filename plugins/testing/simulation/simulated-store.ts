/** A store of the simulation that processes share: it takes time, and may lose, repeat or interrupt requests. */

import { EngineError } from "../../../core/base/index.js";
import type { Growing, StateStore, WriteOptions } from "../../../core/contract/index.js";
import type { Machine } from "./machine.js";
import { NO_FAULTS, type StoreFaults, type StoreTraits } from "./machine.js";
import type { Random } from "./random.js";
import type { SimulatedProcess } from "./simulated-process.js";
import type { VirtualTime } from "./virtual-time.js";

/** A change of the stored values. */
export interface StoreWrite {
  readonly process: SimulatedProcess;
  /** `refuse`: a create of an existing key, which changes nothing. */
  readonly op: "create" | "append" | "set" | "delete" | "refuse";
  readonly key: string;
  /** The added text; for an append the chunk, or its written part; for a refusal the existing value. */
  readonly text: string;
}

interface Written {
  /** Synced characters; -1 if not even the key is synced. */
  length: number;
  machine: Machine;
}

/** Tracks which values have reached the disk of a machine, so that they survive a power loss. */
class Disk {
  readonly #written = new Map<string, Written>();

  wrote(key: string, length: number, machine: Machine): void {
    this.#written.set(key, { length, machine });
  }

  /** Notes that a value has grown by unsynced characters. */
  touched(key: string, machine: Machine): void {
    const known = this.#written.get(key);
    if (known) known.machine = machine;
  }

  /** Returns the keys that a machine wrote last, with the number of synced characters of each. */
  unsynced(machine: Machine): readonly (readonly [key: string, length: number])[] {
    const own = [...this.#written].filter(([, written]) => written.machine === machine);
    return own.map(([key, { length }]) => [key, length]);
  }
}

export class SimulatedStore {
  readonly values = new Map<string, string>();
  readonly traits: StoreTraits;
  faults: StoreFaults = NO_FAULTS;
  /** Milliseconds of virtual time: requests within this range fail. */
  outage: readonly [from: number, to: number] | undefined;
  /** Number of requests by name, e.g. `create`. */
  readonly requests = new Map<string, number>();
  readonly #time: VirtualTime;
  readonly #disk = new Disk();
  readonly #observers: ((write: StoreWrite) => void)[] = [];

  constructor(traits: StoreTraits, time: VirtualTime) {
    this.traits = traits;
    this.#time = time;
  }

  /** Calls `observe` for each change, as it takes effect. */
  observe(observe: (write: StoreWrite) => void): void {
    this.#observers.push(observe);
  }

  /** Returns the client for one process. */
  client(process: SimulatedProcess, random: Random): StateStore {
    return new StoreClient(this, process, random, this.#time).store;
  }

  count(op: string): void {
    this.requests.set(op, (this.requests.get(op) ?? 0) + 1);
  }

  isDown(): boolean {
    return this.outage !== undefined && this.#time.now >= this.outage[0] && this.#time.now < this.outage[1];
  }

  create(process: SimulatedProcess, key: string, value: string, isSynced = true): boolean {
    const there = this.values.get(key);
    if (there !== undefined) {
      this.#notify({ process, op: "refuse", key, text: there });
      return false;
    }
    this.values.set(key, value);
    this.#disk.wrote(key, isSynced ? value.length : -1, process.machine);
    this.#notify({ process, op: "create", key, text: value });
    return true;
  }

  set(process: SimulatedProcess, key: string, value: string): void {
    this.values.set(key, value);
    this.#notify({ process, op: "set", key, text: value });
  }

  /** Returns false if there is no such key. */
  append(process: SimulatedProcess, key: string, chunk: string, isSynced = true): boolean {
    const value = this.values.get(key);
    if (value === undefined) return false;
    this.values.set(key, value + chunk);
    if (isSynced) this.#disk.wrote(key, value.length + chunk.length, process.machine);
    else this.#disk.touched(key, process.machine);
    this.#notify({ process, op: "append", key, text: chunk });
    return true;
  }

  /** Simulates a power failure of the machine: some of its newest unsynced characters are lost. */
  loseUnsynced(machine: Machine, random: Random): void {
    for (const [key, length] of this.#disk.unsynced(machine)) {
      const value = this.values.get(key);
      if (value === undefined) continue;
      if (length < 0 && random.chance(0.5)) this.values.delete(key);
      else if (length >= 0) this.values.set(key, value.slice(0, length + random.below(value.length - length + 1)));
    }
  }

  delete(process: SimulatedProcess, key: string): boolean {
    if (!this.values.delete(key)) return false;
    this.#notify({ process, op: "delete", key, text: "" });
    return true;
  }

  keys(prefix: string): string[] {
    return [...this.values.keys()].filter((key) => key.startsWith(prefix)).sort();
  }

  #notify(write: StoreWrite): void {
    for (const observe of this.#observers) observe(write);
  }
}

type Fault = keyof StoreFaults | undefined;

/** The error that an adapter would throw. */
function failed(op: string, key: string, why: string): EngineError {
  return new EngineError("STORE_FAILED", `The simulated store could not ${op} ${key}: ${why}.`);
}

/** The client of one process: its requests take time, and may be lost, repeated or interrupted. */
class StoreClient {
  readonly #store: SimulatedStore;
  readonly #process: SimulatedProcess;
  readonly #random: Random;
  readonly #time: VirtualTime;

  constructor(store: SimulatedStore, process: SimulatedProcess, random: Random, time: VirtualTime) {
    this.#store = store;
    this.#process = process;
    this.#random = random;
    this.#time = time;
  }

  get store(): StateStore {
    const shared = this.#store;
    const process = this.#process;
    const growing: Growing = { append: (key, chunk, fence, how) => this.#append(key, chunk, fence, how) };
    return {
      name: shared.traits.name,
      location: "simulated",
      local: shared.traits.isLocal,
      get: (key) => this.#read("get", key, () => shared.values.get(key)),
      getMany: (keys) => this.#read("getMany", keys.join(" "), () => keys.map((key) => shared.values.get(key))),
      set: (key, value) => this.#write("set", key, () => shared.set(process, key, value)),
      deleteMany: (keys) => this.#deleteMany(keys),
      create: (key, value, how) => this.#write("create", key, () => shared.create(process, key, value, how?.sync)),
      list: (prefix) => this.#list(prefix),
      ...(shared.traits.grows ? growing : {}),
    };
  }

  #read<T>(op: string, key: string, look: () => T): Promise<T> {
    return this.#request(op, key, look, this.#fault(["lostRequest", "lostReply"]));
  }

  #write<T>(op: string, key: string, act: () => T): Promise<T> {
    const isLocal = this.#store.traits.isLocal;
    return this.#request(
      op,
      key,
      act,
      this.#fault(isLocal ? ["lostRequest"] : ["lostRequest", "lostReply", "repeated"]),
    );
  }

  /** Several keys are several requests: a kill between them leaves some keys. */
  async #deleteMany(keys: readonly string[]): Promise<boolean> {
    const done = await Promise.all(
      keys.map((key) => this.#write("delete", key, () => this.#store.delete(this.#process, key))),
    );
    return done.includes(true);
  }

  async *#list(prefix: string): AsyncIterable<string> {
    let last = "";
    for (let isMore = true; isMore; ) {
      const page: readonly string[] = await this.#read("list", prefix, () =>
        this.#store
          .keys(prefix)
          .filter((key) => key > last)
          .slice(0, this.#store.traits.page),
      );
      yield* page;
      last = page.at(-1) ?? last;
      isMore = page.length === this.#store.traits.page;
    }
  }

  /** On a local disk, an append is mostly done at once; sometimes half of it exists for a moment. */
  #append(key: string, chunk: string, fence: string, how: WriteOptions = {}): boolean | Promise<boolean> {
    const { traits } = this.#store;
    const add = (text: string): boolean => this.#store.append(this.#process, key, text, how.sync);
    const isDone = (): boolean => add(chunk) && !this.#store.values.has(fence);
    const fault = this.#fault(["lostRequest"]);
    if (!traits.isLocal || fault !== undefined) return this.#request("append", key, isDone, fault);
    this.#store.count("append");
    if (this.#random.chance(0.5)) return isDone();
    const cut = this.#random.below(chunk.length);
    return new Promise((resolve) => {
      this.#process.wake(this.#time.now + this.#delay(), () => {
        if (!add(chunk.slice(0, cut))) return resolve(false);
        this.#process.wake(this.#time.now + this.#delay(), () => {
          const isWhole = add(chunk.slice(cut));
          resolve(isWhole && !this.#store.values.has(fence));
        });
      });
    });
  }

  #request<T>(op: string, key: string, act: () => T, fault: Fault): Promise<T> {
    const process = this.#process;
    const isLost = fault === "lostRequest" || this.#store.isDown();
    this.#store.count(op);
    return new Promise((resolve, reject) => {
      const arrival = this.#time.now + this.#delay();
      const release = process.hold();
      const answer = (give: () => void): void => {
        process.wake(this.#time.now + this.#delay(), give);
        release();
      };
      const take = (): void => {
        if (isLost) return answer(() => reject(failed(op, key, "no answer")));
        const first = act();
        if (fault === "lostReply") return answer(() => reject(failed(op, key, "the answer was lost")));
        if (fault !== "repeated") return answer(() => resolve(first));
        this.#time.at(this.#time.now + this.#delay(), () => {
          const second = act();
          answer(() => resolve(second));
        });
      };
      // Local work stops with its process; requests that are on their way arrive.
      if (this.#store.traits.isLocal) process.wake(arrival, take);
      else this.#time.at(arrival, take);
    });
  }

  #delay(): number {
    const [least, most] = this.#store.traits.latency;
    return this.#random.between(least, most);
  }

  #fault(kinds: readonly (keyof StoreFaults)[]): Fault {
    const chance = this.#random.next();
    let sum = 0;
    for (const kind of kinds) {
      sum += this.#store.faults[kind];
      if (chance < sum) return kind;
    }
    return undefined;
  }
}
