/** Writes that count once a replica has them. */
import { createClient } from "@keyv/redis";
import { expect, it } from "vitest";
import { redisStoreAt } from "../../adapters/redis/index.js";
import { until } from "../helpers/time/until.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";

describeWithRedis("waitReplicas", () => {
  it("resolves a write when a replica has it, and rejects it when none does", async () => {
    const primary = await startRedis({ args: ["--repl-diskless-sync-delay", "0"] });
    const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", String(primary.port)] });
    const looking = createClient({ url: replica.url }).on("error", () => {});
    const leading = createClient({ url: primary.url });
    await Promise.all([looking.connect(), leading.connect()]);
    const options = { url: primary.url, waitReplicas: 1, requestTimeout: 2_000, retryTimeout: 10_000 };
    const store = redisStoreAt(options);
    try {
      // The server sends writes to a replica only after its first confirmation, up to a second after the link.
      const isLinked = async () => {
        await leading.set("linked", "");
        return Number(await leading.sendCommand(["WAIT", "1", "500"])) === 1;
      };
      await until(isLinked);
      expect(await store.create("app/dev/1", "value")).toBe(true);
      expect(await looking.get("scope-engine:{app/dev}/1")).toBe("value");
      expect(await store.create("app/dev/1", "value")).toBe(false);
      await replica.kill();
      const unconfirmed = {
        code: "STORE_FAILED",
        message: expect.stringMatching(/app\/dev\/2.*0 of 1 replicas.*waitReplicas/),
      };
      await expect(store.create("app/dev/2", "value")).rejects.toMatchObject(unconfirmed);
      await expect(store.deleteMany(["app/dev/1"])).rejects.toMatchObject({ code: "STORE_FAILED" });
    } finally {
      await store.close();
      looking.destroy();
      leading.destroy();
      await replica.stop();
      await primary.stop();
    }
  });

  it("is asked of the node of a cluster that has the stage", async () => {
    const server = await startRedis({ cluster: true });
    const cluster = [server.url];
    const store = redisStoreAt({ cluster });
    const waiting = redisStoreAt({ cluster, waitReplicas: 1, requestTimeout: 2_000, retryTimeout: 10_000 });
    try {
      await store.set("app/dev/0", "");
      await expect(waiting.create("app/dev/1", "value")).rejects.toThrow(/0 of 1 replicas/);
      expect(await store.get("app/dev/1")).toBe("value");
    } finally {
      await store.close();
      await waiting.close();
      await server.stop();
    }
  });
});
