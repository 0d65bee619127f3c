/** Lost Redis servers, and how a store reports them. */
import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "vitest";
import type { RedisStore } from "../../adapters/redis/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { collect } from "../../plugins/testing/store/case.js";
import { until } from "../helpers/time/until.js";
import { type RedisOptions, type RedisServer, startRedis } from "../servers/redis.js";
import { type RedisOfEachTest, redisOfEachTest } from "./redis-of-each-test.js";

/** Every operation of a store, by name. */
const storeOperations: Readonly<Record<string, (store: StateStore) => Promise<unknown>>> = {
  get: (store) => store.get("app/dev/a"),
  getMany: (store) => store.getMany(["app/dev/a", "b"]),
  set: (store) => store.set("app/dev/a", "1"),
  deleteMany: (store) => store.deleteMany(["app/dev/a", "b"]),
  create: (store) => store.create("app/dev/a", "1"),
  "list of a stage": (store) => collect(store.list("app/dev/")),
  "list of all": (store) => collect(store.list("")),
};

const operations = Object.entries(storeOperations);

export const durable = { args: ["--appendonly", "yes", "--appendfsync", "always"] };
/** Limits for a server that answers: on a busy machine it is slow. */
export const patient = { retryTimeout: 2_000, requestTimeout: 1_500 };

interface ServersOfEachTest extends RedisOfEachTest {
  /** A server that ends with the test. */
  started(options?: RedisOptions): Promise<RedisServer>;
}

export function serversOfEachTest(): ServersOfEachTest {
  const redis = redisOfEachTest();
  return {
    ...redis,
    async started(options) {
      const server = await startRedis(options);
      redis.ends.push(() => server.stop());
      return server;
    },
  };
}

export function failing(...words: readonly string[]) {
  return expect.objectContaining({
    code: "STORE_FAILED",
    message: expect.stringMatching(new RegExp(words.join(".*"), "s")),
    cause: expect.any(Error),
  });
}

/** Calls all operations of a store at once, and fails unless each answer is a rejection with these words. */
export async function rejectsAll(store: RedisStore, ...words: readonly string[]): Promise<void> {
  const answers = await Promise.allSettled(operations.map(([, ask]) => ask(store)));
  for (const [index, answer] of answers.entries()) {
    expect(answer, operations[index]?.[0]).toMatchObject({ status: "rejected", reason: failing(...words) });
  }
}

/** Resolves when a store has tried the port of a server that is down three times. */
export async function refusedThrice({ port }: RedisServer): Promise<void> {
  let attempts = 0;
  const nobody = createServer((socket) => {
    attempts++;
    socket.on("error", () => {}).destroy();
  });
  nobody.listen(port, "127.0.0.1");
  await until(() => attempts >= 3);
  nobody.close();
  await once(nobody, "close");
}
