import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@keyv/redis";
import { afterEach, expect, it, vi } from "vitest";
import { type RedisStore, type RedisStoreOptions, redisStore, redisStoreAt } from "../../adapters/redis/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { until } from "../helpers/time/until.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { type RedisServer, startRedis } from "../servers/redis.js";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function started(...args: string[]): Promise<RedisServer> {
  const server = await startRedis({ args });
  ends.push(() => server.stop());
  return server;
}

function opened(options: RedisStoreOptions): RedisStore {
  const store = redisStoreAt(options);
  ends.push(() => store.close());
  return store;
}

async function clientOf(url: string) {
  const client = createClient({ url });
  await client.connect();
  ends.push(() => client.destroy());
  return client;
}

/** Rejects with all of these words and without a retry, which would be useless. */
async function refuses(work: () => Promise<unknown>, ...words: readonly string[]): Promise<void> {
  await expect(givesUp(work, ...words)).resolves.not.toMatch(/\((1 try|\d+ tries) in/);
}

/** Rejects with all of these words. */
async function givesUp(work: () => Promise<unknown>, ...words: readonly string[]): Promise<string> {
  const error: unknown = await work().catch((reason: unknown) => reason);
  const message = expect.stringMatching(new RegExp(words.join(".*"), "s"));
  expect(error).toMatchObject({ code: "STORE_FAILED", message });
  return String(error);
}

describeWithRedis("a server with a password", () => {
  it("wants it", async () => {
    const { url, port } = await started("--requirepass", "s3cr3t:/@%");
    const of = (login: string) => opened({ url: `redis://${login}127.0.0.1:${port}` });
    await refuses(() => of("").get("a"), url, "NOAUTH", "Give a password");
    await refuses(() => of("").create("a", ""), "NOAUTH");
    await refuses(() => of(":wr0ng@").get("a"), "WRONGPASS", "Check the user");
    await refuses(() => of("ada:s3cr3t@").get("a"), "WRONGPASS");
    await expect(of(":wr0ng@").get("a")).rejects.not.toThrow("wr0ng");
    const store = of(`:${encodeURIComponent("s3cr3t:/@%")}@`);
    expect(await store.create("a", "value")).toBe(true);
    expect(store.location).toBe(url);
  });
});

describeWithRedis("a user with few rights", () => {
  const needed = "+eval +evalsha +get +mget +exists +set +del +pexpire +zadd +zrem +zrangebylex";

  it("needs these and no more, on the keys with the prefix alone", async () => {
    const { url, port } = await started();
    const admin = await clientOf(url);
    await admin.sendCommand(["ACL", "SETUSER", "ada", "on", ">pw", "~scope-engine:*", ...needed.split(" ")]);
    const store = opened({ url: `redis://ada:pw@127.0.0.1:${port}` });
    expect(await store.create("app/dev/1", "value")).toBe(true);
    await store.set("app/dev/2", "value");
    expect(await store.getMany(["app/dev/1", "app/dev/2"])).toEqual(["value", "value"]);
    expect(await store.get("app/dev/2")).toBeDefined();
    expect(await listed(store, "")).toEqual(["app/dev/1", "app/dev/2"]);
    expect(await store.deleteMany(["app/dev/1"])).toBe(true);
    await emptyStore(store);
    expect(await listed(store, "")).toEqual([]);
    const other = opened({ url: `redis://ada:pw@127.0.0.1:${port}`, prefix: "other:" });
    await refuses(() => other.get("a"), "NOPERM", "Grant this user");
  });

  // Only copies of a call need `pexpire`.
  const missed = needed.split(" ").filter((right) => right !== "+pexpire");
  it.each(missed)("is refused without %s, and leaves no value that is not listed", async (right) => {
    const { url, port } = await started();
    const admin = await clientOf(url);
    await admin.sendCommand([
      "ACL",
      "SETUSER",
      "ada",
      "on",
      ">pw",
      "~*",
      ...needed.split(" "),
      right.replace("+", "-"),
    ]);
    const full = opened({ url });
    await full.set("app/dev/0", "value");
    const store = opened({ url: `redis://ada:pw@127.0.0.1:${port}` });
    const acts = [
      () => store.get("app/dev/0"),
      () => store.getMany(["app/dev/0"]),
      () => listed(store, ""),
      () => store.create("app/dev/1", "value"),
      () => store.set("app/dev/2", "value"),
      () => store.deleteMany(["app/dev/0"]),
    ];
    if (right === "+eval") await admin.sendCommand(["SCRIPT", "FLUSH"]);
    const failures = (await Promise.allSettled(acts.map((act) => act()))).flatMap((one) =>
      one.status === "rejected" ? [one.reason.message] : [],
    );
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toMatch(/Grant this user/);
    const values = (await admin.keys("scope-engine:{app/dev}/*")).map((name) =>
      name.slice("scope-engine:{app/dev}".length),
    );
    const indexed = await listed(full, "app/dev/");
    expect(values.filter((name) => !indexed.includes(`app/dev${name}`))).toEqual([]);
  });
});

describeWithRedis("a server that can take no more", () => {
  it("because its memory is full refuses writes, and still reads and deletes", async () => {
    const { url } = await started();
    const store = opened({ url });
    expect(await store.create("app/dev/1", "value")).toBe(true);
    const admin = await clientOf(url);
    await admin.configSet("maxmemory", "1mb");
    await refuses(() => store.create("app/dev/2", "value"), "OOM", "maxmemory");
    await refuses(() => store.set("app/dev/3", "value"), "OOM");
    expect(await store.get("app/dev/1")).toBe("value");
    expect(await listed(store, "")).toEqual(["app/dev/1"]);
    expect(await store.deleteMany(["app/dev/1"])).toBe(true);
    expect(await listed(store, "")).toEqual([]);
  });

  it("because its disk fails says so", async () => {
    const { url } = await started("--save", "3600 1");
    const store = opened({ url });
    await store.set("app/dev/1", "value");
    const admin = await clientOf(url);
    const { dir = "" } = await admin.configGet("dir");
    await mkdir(join(dir, "dump.rdb"));
    await admin.sendCommand(["BGSAVE"]);
    await until(
      () => admin.info("persistence"),
      (info) => info.includes("rdb_last_bgsave_status:err"),
    );
    await refuses(() => store.create("app/dev/2", "value"), "MISCONF", "its log and its disk");
    expect(await store.get("app/dev/1")).toBe("value");
  });

  it("because it wants replicas says so when the time is up", async () => {
    const { url } = await started("--min-replicas-to-write", "1");
    await givesUp(() => opened({ url, retryTimeout: 1_000 }).create("a", ""), "NOREPLICAS", "1000 ms", "min-replicas");
  });
});

describeWithRedis("a node of a cluster", () => {
  it("that is taken for a server alone says how to name it", async () => {
    const cluster = await startRedis({ cluster: true });
    ends.push(() => cluster.stop());
    const admin = await clientOf(cluster.url);
    await admin.sendCommand(["CLUSTER", "DELSLOTSRANGE", "0", "16383"]);
    await givesUp(() => opened({ url: cluster.url, retryTimeout: 1_000 }).get("a"), "CLUSTERDOWN", "CLUSTER INFO");
  });
});

describeWithRedis("a server that a run keeps its state in", () => {
  /** The codes of the warnings when the store is used twice. */
  async function warningsOf(...args: string[]): Promise<string[]> {
    const { url } = await started(...args);
    const warn = vi.fn();
    const store = redisStore({ url })({ appName: "app", stage: "dev", rootDir: "/", profile: undefined, warn });
    ends.push(() => store.close());
    await listed(store, "app/dev/");
    await store.create("app/dev/1", "value");
    return warn.mock.calls.map(([code]) => code);
  }

  it.each([
    [["REDIS_NOT_PERSISTENT"], []],
    [[], ["--appendonly", "yes"]],
    [[], ["--save", "3600 1"]],
    [[], ["--appendonly", "yes", "--maxmemory", "100mb"]],
    [[], ["--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"]],
    [["REDIS_EVICTION"], ["--appendonly", "yes", "--maxmemory", "100mb", "--maxmemory-policy", "volatile-lru"]],
  ])("gives the warnings %j once, set up by %j", async (codes, args) => {
    expect(await warningsOf(...args)).toEqual(codes);
  });

  it.each(["allkeys-lru", "allkeys-lfu", "allkeys-random"])("is refused when it evicts by %s", async (policy) => {
    const { url } = await started("--maxmemory", "100mb", "--maxmemory-policy", policy);
    const store = redisStore({ url })({ appName: "a", stage: "b", rootDir: "/", profile: undefined, warn: () => {} });
    ends.push(() => store.close());
    await refuses(() => listed(store, "app/dev/"), policy, "noeviction");
    await refuses(() => store.create("app/dev/1", "value"), policy, "noeviction");
    const admin = await clientOf(url);
    expect(await admin.dbSize()).toBe(0);
    expect(await opened({ url }).create("app/dev/1", "value")).toBe(true);
  });
});
