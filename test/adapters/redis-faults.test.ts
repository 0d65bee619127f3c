/** The store behind a network that fails: whatever becomes of a request, each change is made once and told truly. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type RedisStore, redisStoreAt } from "../../adapters/redis.js";
import { listed } from "../../core/testing/store-case.js";
import type { Fault } from "../faults/proxy/fault.js";
import { script, seededFaults } from "../faults/proxy/plans.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { describeWithRedis } from "../servers/given-redis.js";

const faults = [
  { kind: "reset-before" },
  { kind: "reset-after" },
  { kind: "truncated" },
  { kind: "timeout" },
  { kind: "timeout", forwarded: true },
  { kind: "slow-down" },
  { kind: "slow-down", forwarded: true },
  { kind: "conflict", forwarded: true },
  { kind: "delayed", side: "request", by: 400 },
  { kind: "delayed", side: "reply", by: 400 },
  { kind: "duplicated" },
  { kind: "late-duplicate", after: 20 },
] as const satisfies readonly Fault[];

const isWrite = ({ kind }: ProxyRequest): boolean => kind === "EVALSHA" || kind === "EVAL";
const isRead = ({ kind }: ProxyRequest): boolean => ["GET", "MGET", "EXISTS", "ZRANGEBYLEX"].includes(kind);

let prefixes = 0;

describeWithRedis("a store behind a network that fails", (url) => {
  let proxy: FaultyProxy;
  let prefix: string;
  let store: RedisStore;
  let direct: RedisStore;

  const through = (requestTimeout = 200): RedisStore =>
    redisStoreAt({ url: proxy.url, prefix, requestTimeout, retryTimeout: 20_000 });

  beforeAll(async () => {
    proxy = await startProxy({ target: url, protocol: "redis" });
  });
  afterAll(() => proxy.close());
  beforeEach(async () => {
    proxy.plan = undefined;
    proxy.recount();
    prefix = `test-faults-${process.pid}-${++prefixes}:`;
    [store, direct] = [through(), redisStoreAt({ url, prefix })];
    await direct.set("app/dev/there", "old");
  });
  afterEach(async () => {
    proxy.plan = undefined;
    await store.close();
    await proxy.settled();
    await direct.clear();
    await direct.close();
  });

  it.each(faults)("creates once, and knows that it did: %j", async (fault) => {
    proxy.plan = script([fault], isWrite);
    expect(await store.create("app/dev/1", "value")).toBe(true);
    expect(proxy.counts.faults[fault.kind]).toBeGreaterThan(0);
    expect(await direct.create("app/dev/1", "value")).toBe(false);
    expect(await direct.delete("app/dev/1")).toBe(true);
    await proxy.settled();
    expect(await direct.get("app/dev/1")).toBeUndefined();
    expect(await listed(direct, "")).toEqual(["app/dev/there"]);
  });

  it.each(faults)("knows that another was there before: %j", async (fault) => {
    proxy.plan = script([fault], isWrite);
    expect(await store.create("app/dev/there", "old")).toBe(false);
  });

  it.each(faults)("writes and deletes once: %j", async (fault) => {
    proxy.plan = script([fault], isWrite);
    await store.set("app/dev/there", "new");
    await direct.set("app/dev/there", "newer");
    await proxy.settled();
    expect(await direct.get("app/dev/there")).toBe("newer");
    proxy.plan = script([fault], isWrite);
    expect(await store.delete("app/dev/there")).toBe(true);
    await direct.set("app/dev/there", "again");
    await proxy.settled();
    expect(await direct.get("app/dev/there")).toBe("again");
  });

  it.each(faults)("reads what is there, and nothing else: %j", async (fault) => {
    const asks = [
      async () => expect(await store.get("app/dev/there")).toBe("old"),
      async () => expect(await store.getMany(["app/dev/there", "a"])).toEqual(["old", undefined]),
      async () => expect(await store.has("app/dev/there")).toBe(true),
      async () => expect(await listed(store, "app/dev/")).toEqual(["app/dev/there"]),
    ];
    for (const ask of asks) {
      proxy.plan = script([fault], isRead);
      await ask();
    }
  });

  it.each([1, 2])(
    "has one creator of each key, whatever happens to a third of all requests (seed %i)",
    async (seed) => {
      proxy.plan = seededFaults(seed, 0.33, faults);
      const clients = [through(60), through(60), through(60)];
      const keys = Array.from({ length: 12 }, (_, index) => `app/dev/${String(index).padStart(2, "0")}`);
      try {
        for (const key of keys) {
          const answers = await Promise.all(clients.map((client, index) => client.create(key, `by ${index}`)));
          expect(answers.filter(Boolean)).toHaveLength(1);
          expect(await direct.get(key)).toBe(`by ${answers.indexOf(true)}`);
        }
        proxy.plan = undefined;
        await proxy.settled();
        expect(await listed(direct, "app/dev/")).toEqual([...keys, "app/dev/there"]);
      } finally {
        for (const client of clients) await client.close();
      }
    },
  );
});
