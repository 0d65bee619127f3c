import { createClient } from "@keyv/redis";
import { afterEach, expect, it } from "vitest";
import { describeWithRedis } from "./given-redis.js";
import { type RedisOptions, type RedisServer, startRedis } from "./redis.js";
import { traces } from "./traces.js";

function clientOf(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: false } });
  client.on("error", () => {});
  return client;
}

async function inClient<T>(url: string, act: (client: ReturnType<typeof clientOf>) => Promise<T>): Promise<T> {
  const client = clientOf(url);
  await client.connect();
  try {
    return await act(client);
  } finally {
    client.destroy();
  }
}

describeWithRedis("a Redis server of a test's own", (shared) => {
  const servers: RedisServer[] = [];
  const started = async (options?: RedisOptions): Promise<RedisServer> => {
    const server = await startRedis(options);
    servers.push(server);
    return server;
  };
  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it("is not the one that all share", async () => {
    const { url } = await started();
    await inClient(url, (client) => client.set("key", "own"));
    expect(await inClient(shared, (client) => client.get("key"))).toBeNull();
  });

  it("keeps appended data through a kill", async () => {
    const server = await started({ args: ["--appendonly", "yes", "--appendfsync", "always"] });
    await inClient(server.url, (client) => client.set("key", "value"));
    await server.kill();
    await expect(inClient(server.url, (client) => client.get("key"))).rejects.toThrow();
    await server.restart();
    expect(await inClient(server.url, (client) => client.get("key"))).toBe("value");
  });

  it("keeps nothing unless told to", async () => {
    const server = await started();
    await inClient(server.url, (client) => client.set("key", "value"));
    await server.restart();
    expect(await inClient(server.url, (client) => client.get("key"))).toBeNull();
  });

  it("is a cluster of one node where that is wanted", async () => {
    const server = await started({ cluster: true });
    expect(await inClient(server.url, (client) => client.sendCommand(["CLUSTER", "INFO"]))).toContain(
      "cluster_slots_ok:16384",
    );
    expect(await inClient(server.url, (client) => client.set("key", "value"))).toBe("OK");
  });

  it("leaves nothing behind", async () => {
    const server = await started();
    const { pid, folder } = await inClient(server.url, async (client) => {
      const info = await client.info("server");
      const { dir = "" } = await client.configGet("dir");
      return { pid: Number(/process_id:(\d+)/.exec(info)?.[1]), folder: dir };
    });
    expect(traces({ pids: [pid], folder })).toEqual([`process ${pid}`, folder]);
    await server.stop();
    expect(traces({ pids: [pid], folder })).toEqual([]);
  });

  it("reports the server's output when it does not start", async () => {
    await expect(startRedis({ args: ["--no-such-option", "1"] })).rejects.toThrow(/no-such-option/);
  });
});
