import { createClient } from "@keyv/redis";
import { afterAll, beforeAll, describe } from "vitest";
import { isLong } from "../../../helpers/checks/sampling.js";
import { describeWithRedis } from "../../../servers/given-redis.js";
import { type RedisServer, startRedis } from "../../../servers/redis.js";
import { queueSuite } from "./queue-suite.js";

describeWithRedis("on Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis({ args: ["--appendonly", "yes"] });
  });
  afterAll(() => server.stop());

  type Send = (...command: string[]) => Promise<unknown>;

  async function inRedis<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const client = createClient({ url: server.url });
    await client.connect();
    try {
      return await work((...command) => client.sendCommand(command));
    } finally {
      client.destroy();
    }
  }

  describe("a fleet", () => {
    queueSuite(
      () => ({
        url: server.url,
        flush: () => inRedis(async (send) => void (await send("FLUSHALL"))),
        texts: () =>
          inRedis(async (send) => {
            const texts: string[] = [];
            for (const key of [await send("KEYS", "*")].flat().map(String)) {
              texts.push(key, String(await send("DUMP", key)));
              if ((await send("TYPE", key)) === "hash") texts.push(...[await send("HGETALL", key)].flat().map(String));
            }
            return texts;
          }),
        restart: () => server.restart(),
        refuseWrites: (refuses) =>
          inRedis(async (send) => void (await send("CONFIG", "SET", "maxmemory", refuses ? "1" : "0"))),
      }),
      isLong
        ? { workers: 200, conductors: 20, restarts: 20, flushes: 5 }
        : { workers: 10, conductors: 3, restarts: 3, flushes: 2 },
    );
  });
});
