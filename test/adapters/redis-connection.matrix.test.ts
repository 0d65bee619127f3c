/** Connections of rarer kinds: of a cluster, over TLS, and of a process which is about to end. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createCluster } from "@keyv/redis";
import { beforeEach, expect, it } from "vitest";
import type { RedisStoreOptions } from "../../adapters/redis/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { runProgram } from "../helpers/processes/child-program.ts";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { freePort } from "../servers/free-port.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { startRedis } from "../servers/redis.js";
import { redisOfEachTest } from "./redis-of-each-test.js";

const run = promisify(execFile);
const { ends, opened, prefix } = redisOfEachTest();

describeWithRedis("the connection", () => {
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
  it.each(["run", "idle"])("ends by itself (%s)", async (mode) => {
    const cwd = await mkdtemp(join(tmpdir(), "redis-process-"));
    ends.push(() => rm(cwd, { recursive: true }));
    const { code, stdout, stderr } = await runProgram("redis", {
      cwd,
      env: { REDIS_URL: url, PREFIX: prefix(), MODE: mode },
    });
    expect(stderr.replace(/^warning .*REDIS_NOT_PERSISTENT.*$/m, "").trim()).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("kept alive by []");
    const store = opened({ url });
    expect((await listed(store, "")).length).toBeGreaterThan(0);
    await emptyStore(store);
  });
});
