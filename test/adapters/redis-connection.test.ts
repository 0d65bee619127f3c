import KeyvRedis, { createClient } from "@keyv/redis";
import Keyv from "keyv";
import { expect, it } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { until } from "../helpers/time/until.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";
import { redisOfEachTest } from "./redis-of-each-test.js";

const { ends, opened } = redisOfEachTest();

describeWithRedis("the connection", (url) => {
  const counting = createClient({ url });
  const connections = async (): Promise<number> =>
    (await counting.clientList()).filter(({ name, libName }) => name === "" && libName === "node-redis").length;

  it("is opened by the first use, not before, and is gone after close", async () => {
    const server = await startRedis();
    ends.push(() => server.stop());
    const looking = createClient({ url: server.url, name: "looking" });
    await looking.connect();
    ends.push(() => looking.destroy());
    const others = async () => (await looking.clientList()).filter(({ name }) => name !== "looking").length;
    const store = opened({ url: server.url });
    expect(await others()).toBe(0);
    await Promise.all([store.get("a"), store.get("b"), listed(store, "")]);
    expect(await others()).toBe(1);
    await store.close();
    await until(others, (open) => open === 0);
    await expect(store.get("a")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("closed"),
    });
    await store.close();
  });

  it("is closed by Keyv, too", async () => {
    const keyv = new Keyv({ store: opened({ url }), namespace: "cache", throwOnErrors: true });
    await keyv.set("a", { number: 1 });
    await keyv.set("b", 2);
    expect(await keyv.get("a")).toEqual({ number: 1 });
    expect(await keyv.get(["a", "b", "c"])).toEqual([{ number: 1 }, 2, undefined]);
    expect(await keyv.has("a")).toBe(true);
    const pairs: unknown[] = [];
    for await (const pair of keyv.iterator?.("cache") ?? []) pairs.push(pair);
    expect(pairs).toEqual([
      ["a", { number: 1 }],
      ["b", 2],
    ]);
    expect(await keyv.delete("a")).toBe(true);
    await keyv.clear();
    expect(await keyv.has("b")).toBe(false);
    await keyv.disconnect();
    await expect(keyv.get("b")).rejects.toThrow(/closed/);
  });

  it("of a client that was given is opened if it is closed, used, and left open", async () => {
    const client = createClient({ url, RESP: 3 });
    ends.push(() => client.destroy());
    const store = opened({ client });
    expect(client.isOpen).toBe(false);
    expect(await store.create("app/dev/1", "größer")).toBe(true);
    expect(await store.create("app/dev/1", "größer")).toBe(false);
    expect(await store.getMany(["app/dev/1", "app/dev/2"])).toEqual(["größer", undefined]);
    expect(await listed(store, "")).toEqual(["app/dev/1"]);
    await emptyStore(store);
    await store.close();
    expect(await client.ping()).toBe("PONG");
  });

  it("of a KeyvRedis that was given is used whatever its own options are", async () => {
    const keyvRedis = new KeyvRedis(url, { namespace: "other", throwOnErrors: false });
    ends.push(() => keyvRedis.disconnect());
    const store = opened({ client: keyvRedis });
    expect(await store.create("app/dev/1", "value")).toBe(true);
    expect(await opened({ url }).get("app/dev/1")).toBe("value");
    await emptyStore(store);
    await store.close();
    expect(keyvRedis.client.isOpen).toBe(true);
  });

  it("of a client that was given and is lost gives errors in bounded time, and is found again", async () => {
    const server = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] });
    ends.push(() => server.stop());
    const client = createClient({ url: server.url }).on("error", () => {});
    ends.push(() => client.destroy());
    await opened({ client }).set("app/dev/1", "value");
    const store = opened({ client, retryTimeout: 500, requestTimeout: 200 });
    await server.kill();
    await expect(store.get("app/dev/1")).rejects.toMatchObject({ code: "STORE_FAILED" });
    await expect(store.create("app/dev/2", "value")).rejects.toMatchObject({ code: "STORE_FAILED" });
    await server.restart();
    await until(
      () => store.get("app/dev/1").catch(String),
      (value) => value === "value",
    );
  });

  it("stays one through 1,000 requests at once", async () => {
    await counting.connect();
    ends.push(() => counting.destroy());
    const store = opened({ url });
    await store.set("app/dev/a", "value");
    const before = await connections();
    const values = await Promise.all(Array.from({ length: 1_000 }, () => store.get("app/dev/a")));
    expect(new Set(values)).toEqual(new Set(["value"]));
    expect(await connections()).toBe(before);
    await emptyStore(store);
  });
});
