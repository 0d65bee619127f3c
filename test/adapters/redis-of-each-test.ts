/** Stores in Redis with a prefix for each test, and a cleanup after it. */
import { afterEach, beforeEach } from "vitest";
import { type RedisStore, type RedisStoreOptions, redisStoreAt } from "../../adapters/redis/index.js";

export interface RedisOfEachTest {
  /** Called after the test, the last one first. */
  readonly ends: (() => unknown)[];
  /** Of the keys of this test. */
  prefix(): string;
  opened(options: RedisStoreOptions): RedisStore;
}

export function redisOfEachTest(): RedisOfEachTest {
  const ends: (() => unknown)[] = [];
  let tests = 0;
  const prefix = (): string => `test-connection-${process.pid}-${tests}:`;
  beforeEach(() => {
    tests++;
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return {
    ends,
    prefix,
    opened(options) {
      const store = redisStoreAt({ prefix: prefix(), ...options });
      ends.push(() => store.close());
      return store;
    },
  };
}
