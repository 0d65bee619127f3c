/** A simulated store as one process reaches it: requests take their time, and may be lost, repeated or broken off. */
import { EngineError } from "../../../core/base/index.js";
import type { Growing, StateStore, WriteOptions } from "../../../core/contract/index.js";
import type { Random } from "./random.js";
import type { SimulatedProcess } from "./simulated-process.js";
import type { SimulatedStore } from "./simulated-store.js";
import type { StoreFaults } from "./store-traits.js";
import type { VirtualTime } from "./virtual-time.js";

type Fault = keyof StoreFaults | undefined;

/** What fails is told as an adapter tells it. */
function failed(op: string, key: string, why: string): EngineError {
  return new EngineError("STORE_FAILED", `The simulated store could not ${op} ${key}: ${why}.`);
}

export class StoreClient {
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

  /** Several keys are several requests: a death in their midst leaves some of them. */
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

  /** On the machine's own disk it is done at once, most often, or half of it stands there for a moment. */
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
      // What a process does by itself it does no more once it is gone; what is on its way arrives all the same.
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
