/** Any store as a storage adapter of Keyv; Keyv's own tests for one are in `keyv-suite.test.ts`. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { asKeyvAdapter, keyvStoreAt } from "../../adapters/keyv/index.js";
import { redisStoreAt } from "../../adapters/redis/index.js";
import type { StateStore } from "../../core/contract/store.js";
import { memoryStore } from "../../core/state/memory.js";
import { collect } from "../../core/testing/store/case.js";
import { makeTestBucket, s3TestStore } from "../helpers/s3-store.js";
import { emptyStore } from "../helpers/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { keepsPromisesToKeyv } from "./keyv-adapter-cases.js";

describe("over a store in memory", () => keepsPromisesToKeyv(() => ({ store: memoryStore() })));

describe("over files", () =>
  keepsPromisesToKeyv(async () => {
    const folder = await mkdtemp(join(tmpdir(), "keyv-adapter-"));
    return { store: fsStoreAt(folder), close: () => rm(folder, { recursive: true }) };
  }));

describe("over a store in Keyv", () => keepsPromisesToKeyv(() => ({ store: keyvStoreAt(new Map()) })));

describeWithRedis("over Redis", (url) => {
  let prefixes = 0;
  keepsPromisesToKeyv(() => {
    const options = { url, prefix: `keyv-adapter-${process.pid}-${++prefixes}:` };
    const close = async () => {
      const store = redisStoreAt(options);
      await emptyStore(store);
      await store.close();
    };
    return { store: redisStoreAt(options), close };
  });
});

describeWithS3("over a bucket", () => {
  beforeAll(() => makeTestBucket());
  keepsPromisesToKeyv(() => {
    const prefix = randomUUID();
    const close = async () => {
      const store = s3TestStore(prefix);
      await emptyStore(store);
      await store.close();
    };
    return { store: s3TestStore(prefix), close };
  });
});

describe("asKeyvAdapter", () => {
  it("serves a Keyv with all that it can do", async () => {
    const keyv = new Keyv({ store: asKeyvAdapter(memoryStore()), namespace: "cache", throwOnErrors: true });
    await keyv.set("a", { number: 1 });
    await keyv.setMany([
      { key: "b", value: 2 },
      { key: "c", value: [3] },
    ]);
    expect(await keyv.get(["a", "b", "none"])).toEqual([{ number: 1 }, 2, undefined]);
    expect(await keyv.has(["c", "none"])).toEqual([true, false]);
    const pairs: unknown[] = [];
    for await (const pair of keyv.iterator?.("cache") ?? []) pairs.push(pair);
    expect(pairs).toEqual([
      ["a", { number: 1 }],
      ["b", 2],
      ["c", [3]],
    ]);
    expect(await keyv.delete(["a", "b"])).toBe(true);
    await keyv.clear();
    expect(await keyv.has("c")).toBe(false);
  });

  it("keeps apart two Keyvs of one store, each with an adapter and a namespace of its own", async () => {
    const store = memoryStore();
    const [one, two] = ["one", "two"].map((namespace) => new Keyv({ store: asKeyvAdapter(store), namespace }));
    await one?.set("a", 1);
    await two?.set("a", 2);
    await one?.clear();
    expect([await one?.get("a"), await two?.get("a")]).toEqual([undefined, 2]);
  });

  it("takes a store that has the least, and asks nothing else of one that has more", async () => {
    const { get, getMany, set, deleteMany, create, list } = memoryStore();
    const clear = vi.fn();
    const more = { has: clear, clear, iterator: clear, setMany: clear, delete: clear, opts: {}, namespace: "x" };
    for (const store of [
      { name: "least", get, getMany, set, deleteMany, create, list },
      { ...memoryStore(), ...more },
    ]) {
      const adapter = asKeyvAdapter(store);
      await adapter.setMany([{ key: "a", value: "1" }]);
      expect([await adapter.has("a"), await collect(adapter.iterator())]).toEqual([true, [["a", "1"]]]);
      await adapter.clear();
      expect(await adapter.delete("a")).toBe(false);
      await adapter.disconnect();
    }
    expect(clear).not.toHaveBeenCalled();
  });

  it("closes the store when Keyv disconnects", async () => {
    const close = vi.fn(async () => {});
    await new Keyv({ store: asKeyvAdapter({ ...memoryStore(), close }) }).disconnect();
    expect(close).toHaveBeenCalledTimes(1);
  });

  describe("over a store that fails", () => {
    const failed = new Error("nobody answers");
    const refuse = () => Promise.reject(failed);
    const failing: StateStore = {
      name: "failing",
      ...{ get: refuse, getMany: refuse, set: refuse, deleteMany: refuse, create: refuse },
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    };

    it("rejects whatever it is asked, and never says that nothing is there", async () => {
      const adapter = asKeyvAdapter(failing);
      for (const call of [
        () => adapter.get("a"),
        () => adapter.getMany(["a"]),
        () => adapter.has("a"),
        () => adapter.hasMany(["a"]),
        () => adapter.set("a", "1"),
        () => adapter.setMany([{ key: "a", value: "1" }]),
        () => adapter.delete("a"),
        () => adapter.deleteMany(["a"]),
        () => adapter.clear(),
        () => collect(adapter.iterator()),
      ]) {
        await expect(call()).rejects.toBe(failed);
      }
    });

    it("lets a Keyv that throws no errors hear of a read that failed", async () => {
      const heard: unknown[] = [];
      const keyv = new Keyv({ store: asKeyvAdapter(failing) }).on("error", (error) => heard.push(error));
      expect(await keyv.get("a")).toBeUndefined();
      expect(heard).toEqual([failed]);
    });
  });
});
