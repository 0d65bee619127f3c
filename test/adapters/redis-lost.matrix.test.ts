import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createClient } from "@keyv/redis";
import Keyv from "keyv";
import { describe, expect, it, vi } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { startProxy } from "../faults/proxy/proxy.js";
import { until } from "../helpers/time/until.js";
import { freePort } from "../servers/free-port.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { durable, failing, patient, refusedThrice, rejectsAll, serversOfEachTest } from "./redis-outage.js";

const { ends, opened, started } = serversOfEachTest();

/** Starts a server that treats each connection as `how` says; returns its URL. */
async function behaving(how: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    how(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  ends.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `redis://127.0.0.1:${port}`;
}

const impatient = { retryTimeout: 1_000, requestTimeout: 700 };

describe("a server that was never there", () => {
  it("rejects everything, and names place, request and reason", async () => {
    const url = `redis://user:s3cr3t@127.0.0.1:${await freePort()}`;
    const place = url.replace("user:s3cr3t@", "");
    const store = opened({ url, ...impatient });
    await rejectsAll(store, "Could not (read|look up|write|delete|create|list) ", place, "ECONNREFUSED", "run again");
    await expect(store.get("a")).rejects.not.toThrow("s3cr3t");
  });

  it("as a cluster rejects with the reason, too", async () => {
    const store = opened({ cluster: [`redis://127.0.0.1:${await freePort()}`], ...impatient });
    await rejectsAll(store, "ECONNREFUSED");
  });

  it("rejects through Keyv, which then does not say that the value is absent", async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    const keyv = new Keyv({ store: opened({ url, ...impatient }), throwOnErrors: true });
    keyv.on("error", () => {});
    await expect(keyv.get("a")).rejects.toThrow(/ECONNREFUSED/);
  });

  it("has a name that does not resolve: not asked twice", async () => {
    const store = opened({ url: "redis://nowhere.invalid" });
    await expect(store.get("a")).rejects.toEqual(failing("nowhere.invalid", "Check the name of the host"));
  });
});

describe("a server that takes connections", () => {
  it("and never answers: rejects everything", async () => {
    const store = opened({ url: await behaving(() => {}), ...impatient });
    await rejectsAll(store, "no answer within", "run again");
  });

  it("and says why not, before it falls silent: rejects with its last answer", async () => {
    // The store's time stands still until the second request uses all of it.
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    ends.push(() => vi.useRealTimers());
    let asked = 0;
    const url = await behaving((socket) => {
      socket.on("data", (data) => {
        for (const [, command] of String(data).matchAll(/\*\d+\r\n\$\d+\r\n(\w+)/g)) {
          if (command !== "GET") socket.write("-ERR unknown command\r\n");
          else if (asked++ === 0) socket.write("-LOADING wait a while\r\n");
          else vi.advanceTimersByTime(1_000);
        }
      });
    });
    const store = opened({ url, retryTimeout: 1_000 });
    await expect(store.get("a")).rejects.toEqual(failing("LOADING wait a while", "2 tries in 1000 ms"));
  });

  it("and hangs up: rejects everything", async () => {
    const store = opened({ url: await behaving((socket) => socket.destroy()), ...impatient });
    await rejectsAll(store, "run again");
  });

  it("and never answers, as a node of a cluster: rejects, and leaves no connection behind", async () => {
    const open = new Set<Socket>();
    const url = await behaving((socket) => {
      open.add(socket.resume().on("close", () => open.delete(socket)));
    });
    const store = opened({ cluster: [url], ...impatient });
    await rejectsAll(store, "no answer within");
    await store.close();
    await until(() => open.size === 0);
  });

  it.each(["server", "cluster"])("and never answers: closing gives it up (%s)", async (kind) => {
    const open = new Set<Socket>();
    const url = await behaving((socket) => {
      open.add(socket.resume().on("close", () => open.delete(socket)));
    });
    // No other deadline comes before that of the test.
    const endless = { requestTimeout: 600_000, retryTimeout: 600_000 };
    const store = opened(kind === "server" ? { url, ...endless } : { cluster: [url], ...endless });
    const asked = expect(store.get("a")).rejects.toMatchObject({ code: "STORE_FAILED" });
    await until(() => open.size === 1);
    await store.close();
    await asked;
    await until(() => open.size === 0);
  });

  it("and speaks something else: rejects", async () => {
    const store = opened({
      url: await behaving((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")),
      ...impatient,
    });
    await rejectsAll(store, "run again");
  });
});

describeWithRedis("a server that is killed", () => {
  it("in the midst of 200 questions gives the value or an error, never an absence", async () => {
    const server = await started();
    await opened({ url: server.url }).set("app/dev/a", "1");
    const store = opened({ url: server.url, ...patient });
    const ask = async (): Promise<unknown[]> => {
      const all = [store.get("app/dev/a"), store.getMany(["app/dev/a"]), listed(store, "app/dev/")];
      return (await Promise.allSettled(all)).map((one) => (one.status === "fulfilled" ? one.value : one.reason.code));
    };
    const answers: unknown[] = [];
    let underway = 0;
    let isDead = false;
    const keepAsking = async (): Promise<void> => {
      while (!isDead) {
        underway++;
        answers.push(...(await ask()));
        underway--;
      }
    };
    const asked = Array.from({ length: 200 }, keepAsking);
    // The first requests have their answers, however slow the machine is, and the last one comes too late.
    await until(() => answers.includes("1"));
    expect(underway).toBe(200);
    await server.kill();
    isDead = true;
    answers.push(...(await ask()));
    await Promise.all(asked);
    expect(new Set(answers.map(String))).toEqual(new Set(["1", "app/dev/a", "STORE_FAILED"]));
  });

  it("and comes back in time fails no request, and has kept all that it had acknowledged", async () => {
    const server = await started(durable);
    const store = opened({ url: server.url });
    expect(await store.create("app/dev/1", "before")).toBe(true);
    await server.kill();
    const meanwhile = [
      store.create("app/dev/2", "meanwhile"),
      store.get("app/dev/1"),
      store.create("app/dev/1", "before"),
    ];
    await refusedThrice(server);
    await server.restart();
    expect(await Promise.all(meanwhile)).toEqual([true, "before", false]);
    expect(await listed(store, "app/dev/")).toEqual(["app/dev/1", "app/dev/2"]);
  });
});

describeWithRedis("a server that stands still", () => {
  it("does once a request that arrives again and again", async () => {
    const server = await started();
    const looking = createClient({ url: server.url });
    await looking.connect();
    ends.push(() => looking.destroy());
    const pid = Number(/process_id:(\d+)/.exec(await looking.info("server"))?.[1]);
    const proxy = await startProxy({ target: server.url, protocol: "redis" });
    ends.push(() => proxy.close());
    const store = opened({ url: proxy.url, requestTimeout: 100, retryTimeout: 60_000 });
    await store.set("app/dev/kept", "");
    proxy.recount();
    process.kill(pid, "SIGSTOP");
    const created = store.create("app/dev/a", "1");
    // Each attempt without a timely answer makes a connection of its own.
    await until(() => proxy.counts.connections >= 3);
    process.kill(pid, "SIGCONT");
    expect(await created).toBe(true);
    expect(await store.deleteMany(["app/dev/a"])).toBe(true);
    await proxy.settled();
    expect(await store.get("app/dev/a")).toBeUndefined();
    // The create twice, and the delete once.
    expect(proxy.counts.byKind.EVALSHA).toBeGreaterThanOrEqual(3);
  });
});
