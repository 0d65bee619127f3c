/** Ends the reads of a request that its page does not wait for any more. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { StateStore } from "../../../core/contract/index.js";
import { aroundStore } from "../../../core/state/index.js";

const present = new AsyncLocalStorage<AbortSignal>();

/** @param signal aborted when the page has disconnected */
export function duringRequest<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return present.run(signal, work);
}

/** Does nothing outside of a request. @throws the reason of the signal if the page has disconnected */
export function checkAwaited(): void {
  present.getStore()?.throwIfAborted();
}

/** Returns a store that refuses the next read of a request that nothing waits for. */
export function whileAwaited(store: StateStore): StateStore {
  return aroundStore(store, async (_, make) => {
    checkAwaited();
    return make();
  });
}

interface Reading<T> {
  readonly promise: Promise<T>;
  /** Of the request that began it. */
  readonly signal: AbortSignal | undefined;
}

/** Reads that several requests share. If the request that began a read is abandoned, another one begins again. */
export class SharedReads<Key, T> {
  readonly #reading = new Map<Key, Reading<T>>();

  async once(key: Key, read: () => Promise<T>): Promise<T> {
    for (;;) {
      const reading = this.#reading.get(key) ?? this.#begun(key, read);
      try {
        return await reading.promise;
      } catch (error) {
        const signal = present.getStore();
        if (!reading.signal?.aborted || reading.signal === signal) throw error;
        checkAwaited();
      }
    }
  }

  #begun(key: Key, read: () => Promise<T>): Reading<T> {
    const promise = read().finally(() => this.#reading.delete(key));
    const reading = { promise, signal: present.getStore() };
    this.#reading.set(key, reading);
    return reading;
  }
}
