import { Cluster } from "ioredis";
import { afterAll, beforeAll, describe } from "vitest";
import { isLong } from "../../../helpers/checks/sampling.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { type RedisCluster, startRedisCluster } from "../../../servers/redis-cluster.js";
import { queueSuite } from "./queue-suite.js";

describeWithRedis("on a Redis Cluster of three nodes", () => {
  let cluster: RedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster.stop());

  async function onEachNode<T>(work: (send: (...command: string[]) => Promise<unknown>) => Promise<T>): Promise<T[]> {
    const client = new Cluster([...cluster.urls]);
    try {
      await new Promise((resolve) => client.once("ready", resolve));
      return await Promise.all(
        client.nodes("master").map((node) => work((name = "", ...more) => node.call(name, ...more))),
      );
    } finally {
      client.disconnect();
    }
  }

  describe("a fleet", () => {
    queueSuite(
      () => ({
        url: cluster.urls[0] ?? "",
        flush: async () => void (await onEachNode((send) => send("FLUSHALL"))),
        texts: async () =>
          (
            await onEachNode(async (send) => {
              const texts: string[] = [];
              for (const key of [await send("KEYS", "*")].flat().map(String)) {
                texts.push(key);
                if ((await send("TYPE", key)) === "hash")
                  texts.push(...[await send("HGETALL", key)].flat().map(String));
              }
              return texts;
            })
          ).flat(),
        restart: () => cluster.restart(),
        refuseWrites: async (refuses) =>
          void (await onEachNode((send) => send("CONFIG", "SET", "maxmemory", refuses ? "1" : "0"))),
      }),
      isLong
        ? { workers: 40, conductors: 10, restarts: 10, flushes: 3 }
        : { workers: 2, conductors: 1, restarts: 1, flushes: 1 },
    );
  });
});
