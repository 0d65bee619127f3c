/** The contract of stores, checked against the Redis of the tests. */
import { afterAll, beforeAll, describe, it } from "vitest";
import { type RedisStoreOptions, redisStoreAt } from "../../adapters/redis/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { type RedisServer, startRedis } from "../servers/redis.js";

const IMPATIENT = { retryTimeout: 100, requestTimeout: 1_000 };
let stores = 0;

/** Each store has a prefix of its own, and leaves nothing of it. */
function conforms(
  options: () => RedisStoreOptions,
  refused: Readonly<Record<string, () => RedisStoreOptions>>,
  suite: StoreSuiteOptions,
): void {
  const open = async () => {
    const prefix = `test-${process.pid}-${++stores}:`;
    const another = () => redisStoreAt({ ...options(), prefix });
    const close = async () => {
      const sweeper = another();
      await emptyStore(sweeper);
      await sweeper.close();
    };
    return { store: another(), reopen: async () => another(), close };
  };
  const broken = Object.fromEntries(
    Object.entries(refused).map(([why, asked]) => [why, () => redisStoreAt({ ...asked(), ...IMPATIENT })]),
  );
  testStateStore({ describe, it }, open, { broken, ...suite });
}

/** @param suite sizes */
export function redisSuite(suite: StoreSuiteOptions): void {
  describeWithRedis("redisStoreAt", (url) =>
    conforms(
      () => ({ url }),
      {
        "nobody answers": () => ({ url: "redis://127.0.0.1:1" }),
        "the password is wrong": () => ({ url: url.replace("//", "//nobody:wrong@") }),
      },
      suite,
    ),
  );
}

export function redisClusterSuite(suite: StoreSuiteOptions): void {
  describeWithRedis("redisStoreAt on a cluster", () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedis({ cluster: true });
    });
    afterAll(() => server.stop());
    conforms(
      () => ({ cluster: [server.url] }),
      { "nobody answers": () => ({ cluster: ["redis://127.0.0.1:1"] }) },
      suite,
    );
  });
}
