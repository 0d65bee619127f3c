import { EngineError, messageOf } from "../../core/base/index.js";

/**
 * Runs `work` on every item, some at a time, and waits for all of them. The results are in the order of the items.
 *
 * @throws the error of the only failed item; for several, EngineError `STORE_FAILED` with all errors as its cause
 */
export async function eachBounded<T, R>(items: readonly T[], work: (item: T) => Promise<R>, places = 32): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  let next = 0;
  async function workThrough(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item === undefined) continue;
      try {
        results[index] = await work(item);
      } catch (error) {
        errors.push(error);
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(places, items.length) }, workThrough));
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) {
    const message = `${errors.length} of ${items.length} requests failed. The first error: ${messageOf(errors[0])}`;
    throw new EngineError("STORE_FAILED", message, { cause: new AggregateError(errors) });
  }
  return results;
}

/** Runs asynchronous work on a key after earlier work on the same key. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** True if no work on the key is running. */
  isFree(key: string): boolean {
    return !this.#last.has(key);
  }

  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const held = (this.#last.get(key) ?? Promise.resolve()).then(work, work);
    this.#last.set(key, held);
    try {
      return await held;
    } finally {
      if (this.#last.get(key) === held) this.#last.delete(key);
    }
  }
}

/** Names keys in a message, without naming each of many. */
export function namedKeys(keys: readonly string[]): string {
  return keys.length === 1 ? String(keys[0]) : `${keys.length} keys such as ${keys[0]}`;
}

/** A map of the entries that were set last. A program may open thousands of stages, one after the other. */
export class RecentMap<K, V> extends Map<K, V> {
  readonly #most: number;

  /** @param most number of entries that are kept */
  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    const [oldest] = this.keys();
    if (this.size >= this.#most && oldest !== undefined) this.delete(oldest);
    return super.set(key, value);
  }
}
