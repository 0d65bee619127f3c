/** A cluster of two nodes, between which slots move. */
import { createClient } from "@keyv/redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisStore, redisStoreAt } from "../../adapters/redis/index.js";
import { slotOf } from "../../adapters/redis/link.js";
import { keyNames } from "../../adapters/redis/open.js";
import { storeAt } from "../../plugins/state-store/store-at.js";
import { listed } from "../../plugins/testing/store/case.js";
import { until } from "../helpers/time/until.js";
import { freePort } from "../servers/free-port.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";

const HALF = 8_192;

async function startNode() {
  const server = await startRedis({ args: ["--cluster-enabled", "yes", "--cluster-port", `${await freePort()}`] });
  const client = createClient({ url: server.url });
  await client.connect();
  return { server, client, id: String(await client.sendCommand(["CLUSTER", "MYID"])) };
}

type Node = Awaited<ReturnType<typeof startNode>>;

describeWithRedis("a store on a cluster of two nodes", () => {
  let nodes: readonly [Node, Node];
  let store: RedisStore;
  let waiting: RedisStore;

  beforeAll(async () => {
    const [one, two] = [await startNode(), await startNode()];
    nodes = [one, two];
    await one.client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", "0", `${HALF - 1}`]);
    await two.client.sendCommand(["CLUSTER", "ADDSLOTSRANGE", `${HALF}`, "16383"]);
    const [, bus] = /@(\d+)/.exec(String(await one.client.sendCommand(["CLUSTER", "NODES"]))) ?? [];
    await two.client.sendCommand(["CLUSTER", "MEET", "127.0.0.1", `${one.server.port}`, `${bus}`]);
    for (const { client } of nodes) {
      const info = async () => String(await client.sendCommand(["CLUSTER", "INFO"]));
      const isOne = /cluster_state:ok[\s\S]*cluster_known_nodes:2/;
      await until(info, (told) => isOne.test(told));
    }
    const options = { cluster: [one.server.url] };
    store = redisStoreAt(options);
    waiting = redisStoreAt({ ...options, waitReplicas: 1, requestTimeout: 2_000, retryTimeout: 10_000 });
  });
  afterAll(async () => {
    await store?.close();
    await waiting?.close();
    for (const { client, server } of nodes) {
      client.destroy();
      await server.stop();
    }
  });

  /** A new stage whose slot is on the node. */
  const stageOn = (node: 0 | 1, name: string): string => {
    const stages = Array.from({ length: 100 }, (_, index) => `${name}/${index}`);
    const found = stages.find((stage) => slotOf(stage) < HALF === (node === 0));
    if (found === undefined) throw new Error("A hundred names and none for this node.");
    return found;
  };

  /** Gives the slot of a stage, which has no keys yet, to the other node. */
  async function move(stage: string): Promise<void> {
    for (const { client } of nodes) {
      await client.sendCommand(["CLUSTER", "SETSLOT", `${slotOf(stage)}`, "NODE", nodes[1].id]);
    }
  }

  it("keeps each stage on one node, and reads and lists across both", async () => {
    const stages = [stageOn(0, "across"), stageOn(1, "across")];
    const keys = stages.flatMap((stage) => [`${stage}/1`, `${stage}/2`]).sort();
    for (const key of keys) expect(await store.create(key, key)).toBe(true);
    expect(await store.getMany(keys)).toEqual(keys);
    expect(await listed(store, "across/")).toEqual(keys);
    for (const [index, { client }] of nodes.entries()) {
      const own = keys.filter((key) => key.startsWith(`${stages[index]}/`)).map(keyNames("scope-engine:").value);
      expect(own).toHaveLength(2);
      expect(await client.sendCommand(["EXISTS", ...own])).toBe(2);
    }
    expect(await store.deleteMany(keys)).toBe(true);
  });

  it("is named by the URL of one node, and a URL without ?cluster=true says so at once", async () => {
    const [one] = nodes;
    const warn = (): void => {};
    const context = { appName: "a", stage: "b", rootDir: "/", profile: undefined, url: undefined, env: {}, warn };
    const named = await storeAt(`${one.server.url}?cluster=true`, context);
    const plain = await storeAt(one.server.url, context);
    const key = `${stageOn(1, "named")}/1`;
    expect(await named.create(key, "value")).toBe(true);
    await expect(plain.get(key)).rejects.toThrow(
      /: MOVED \d+ [\d.:]+\. This server is part of a cluster\. Add \?cluster=true to the URL of the state, e\.g\. in ENGINE_STATE/,
    );
    for (const opened of [named, plain]) await opened.close?.();
  });

  it("follows a slot that moves", async () => {
    const stage = stageOn(0, "moves");
    expect(await store.get(`${stage}/1`)).toBeUndefined();
    await move(stage);
    expect(await store.create(`${stage}/1`, "value")).toBe(true);
    expect(await listed(store, `${stage}/`)).toEqual([`${stage}/1`]);
  });

  it("follows a slot that moves, also where replicas are waited for", async () => {
    const stage = stageOn(0, "waits");
    await expect(waiting.set(stage, "")).rejects.toThrow(/0 of 1 replicas/);
    await move(stage);
    await store.set(`${stage}/0`, "so that the stage is registered");
    // The request has reached the right node, which has no replica.
    await expect(waiting.create(`${stage}/1`, "value")).rejects.toThrow(/0 of 1 replicas/);
    expect(await store.get(`${stage}/1`)).toBe("value");
  });
});
