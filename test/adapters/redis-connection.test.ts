import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import KeyvRedis, { createClient, createCluster } from "@keyv/redis";
import Keyv from "keyv";
import { afterEach, beforeEach, expect, it } from "vitest";
import { asKeyvAdapter } from "../../adapters/keyv/index.js";
import { type RedisStoreOptions, redisStoreAt } from "../../adapters/redis/index.js";
import { listed } from "../../core/testing/store/case.js";
import { runProgram } from "../helpers/child-program.ts";
import { emptyStore } from "../helpers/store-contents.js";
import { timed } from "../helpers/timed.js";
import { freePort } from "../servers/free-port.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";

const run = promisify(execFile);
let prefixes = 0;
let prefix: string;
const ends: (() => unknown)[] = [];
beforeEach(() => {
  prefix = `test-connection-${process.pid}-${++prefixes}:`;
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

function opened(options: RedisStoreOptions) {
  const store = redisStoreAt({ prefix, ...options });
  ends.push(() => store.close());
  return store;
}

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
    await expect.poll(others).toBe(0);
    await expect(store.get("a")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("closed"),
    });
    await store.close();
  });

  it("is closed by Keyv, too", async () => {
    const keyv = new Keyv({ store: asKeyvAdapter(opened({ url })), namespace: "cache", throwOnErrors: true });
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

  it("of a client that was given is opened where it is not, used, and left open", async () => {
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
    await expect.poll(() => store.get("app/dev/1").catch(() => "not yet")).toBe("value");
  });

  it("of a cluster's client that was given is used for all slots", async () => {
    const server = await startRedis({ cluster: true });
    ends.push(() => server.stop());
    const client = createCluster({ rootNodes: [{ url: server.url }] });
    ends.push(() => client.destroy());
    const store = opened({ client });
    const keys = ["a/1/x", "b/2/x", "c", "d/3/x"];
    for (const key of keys) expect(await store.create(key, key)).toBe(true);
    expect(await store.getMany(keys)).toEqual(keys);
    expect(await listed(store, "")).toEqual([...keys].sort());
    expect(await store.deleteMany(keys)).toBe(true);
    await store.close();
    expect(client.isOpen).toBe(true);
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

describeWithRedis("TLS", () => {
  let folder: string;
  const file = (name: string) => join(folder, name);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "redis-tls-"));
    ends.push(() => rm(folder, { recursive: true }));
    const subject = ["-subj", "/CN=state", "-addext", "subjectAltName=DNS:state.example"];
    const files = ["-keyout", file("key.pem"), "-out", file("cert.pem")];
    await run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...subject]);
  });

  it("is spoken with a certificate that is trusted, by its name, and with no other", async () => {
    const port = await freePort();
    const files = ["--tls-cert-file", file("cert.pem"), "--tls-key-file", file("key.pem")];
    const args = [
      "--tls-port",
      `${port}`,
      ...files,
      "--tls-ca-cert-file",
      file("cert.pem"),
      "--tls-auth-clients",
      "no",
    ];
    const server = await startRedis({ args });
    ends.push(() => server.stop());
    const ca = await readFile(file("cert.pem"));
    const url = `rediss://127.0.0.1:${port}`;
    const fails = (options: RedisStoreOptions) => expect(opened(options).get("a")).rejects;

    const store = opened({ url, tls: { ca, servername: "state.example" } });
    expect(await store.create("a", "value")).toBe(true);
    expect(store.location?.split("?")).toEqual([url, expect.stringMatching(/^prefix=test-/)]);
    const also = opened({ url: `redis://127.0.0.1:${port}`, tls: { ca: [ca], servername: "state.example" } });
    expect(await also.get("a")).toBe("value");
    expect(await opened({ url, tls: { rejectUnauthorized: false } }).get("a")).toBe("value");

    await fails({ url }).toThrow(/self-signed.*tls: \{ ca \}/s);
    await fails({ url, tls: { ca } }).toThrow(/servername/);
    await fails({ url: server.url, tls: { ca }, retryTimeout: 500 }).toThrow(/Could not read a/);
    await fails({ url: `redis://127.0.0.1:${port}`, retryTimeout: 500 }).toThrow(/Could not read a/);
  });
});

describeWithRedis("a process", (url) => {
  it.each(["run", "idle"])("ends by itself within 200 ms (%s)", timed, async (mode) => {
    const cwd = await mkdtemp(join(tmpdir(), "redis-process-"));
    ends.push(() => rm(cwd, { recursive: true }));
    const { code, stdout, stderr } = await runProgram("redis", {
      cwd,
      env: { REDIS_URL: url, PREFIX: prefix, MODE: mode },
    });
    expect(stderr.replace(/^warning .*REDIS_NOT_PERSISTENT.*$/m, "").trim()).toBe("");
    expect(code).toBe(0);
    const [, milliseconds] = /ended (\d+) ms later/.exec(stdout) ?? [];
    expect(Number(milliseconds)).toBeLessThan(200);
    const store = opened({ url });
    expect((await listed(store, "")).length).toBeGreaterThan(0);
    await emptyStore(store);
  });
});
