/** A store of the simulation, which processes share: it takes its time, and may lose, repeat or break off what it is asked. */
import type { StateStore } from "../../../core/contract/index.js";
import { Disk } from "./disk.js";
import type { Machine } from "./machine.js";
import type { Random } from "./random.js";
import type { SimulatedProcess } from "./simulated-process.js";
import { StoreClient } from "./store-client.js";
import { NO_FAULTS, type StoreFaults, type StoreTraits } from "./store-traits.js";
import type { VirtualTime } from "./virtual-time.js";

/** A change of what is stored. */
export interface StoreWrite {
  readonly process: SimulatedProcess;
  /** `refuse`: a create of what exists, which changes nothing. */
  readonly op: "create" | "append" | "set" | "delete" | "refuse";
  readonly key: string;
  /** What was added; for an append the chunk, or the part of it that was written; for a refusal what is there. */
  readonly text: string;
}

export class SimulatedStore {
  readonly values = new Map<string, string>();
  readonly traits: StoreTraits;
  faults: StoreFaults = NO_FAULTS;
  /** Milliseconds of virtual time: requests that are made meanwhile fail. */
  outage: readonly [from: number, to: number] | undefined;
  /** Requests by their names, e.g. `create`. */
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

  /** The store as one process reaches it. */
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

  /** False: there is no such key. */
  append(process: SimulatedProcess, key: string, chunk: string, isSynced = true): boolean {
    const value = this.values.get(key);
    if (value === undefined) return false;
    this.values.set(key, value + chunk);
    if (isSynced) this.#disk.wrote(key, value.length + chunk.length, process.machine);
    else this.#disk.touched(key, process.machine);
    this.#notify({ process, op: "append", key, text: chunk });
    return true;
  }

  /** The machine's power fails: of what its processes had not synced, some of the newest is gone. */
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
