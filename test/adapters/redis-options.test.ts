import { createClient, createCluster, createSentinel, default as KeyvRedis } from "@keyv/redis";
import { describe, expect, it } from "vitest";
import { type RedisStoreOptions, redisStore, redisStoreAt } from "../../adapters/redis/index.js";

const url = "redis://localhost:6379";
const secret = "s3cr3t";

/** Options as a program without types may pass them. */
function untyped(options: Readonly<Record<string, unknown>>): RedisStoreOptions {
  return options;
}

describe("the options of redisStore", () => {
  it.each<[named: string, options: Readonly<Record<string, unknown>>]>([
    ["url", {}],
    ["cluster", { url, cluster: [url] }],
    ["url", { url: 6379 }],
    ["url", { url: "" }],
    ["url", { url: "localhost:6379" }],
    ["url", { url: `http://u:${secret}@localhost` }],
    ["url", { url: `redis://u:${secret}@localhost/db` }],
    ["url", { url: `redis://u:${secret}%@localhost` }],
    ["cluster", { cluster: [] }],
    ["cluster", { cluster: url }],
    ["cluster", { cluster: [url, "nowhere"] }],
    ["cluster", { cluster: [url, "rediss://localhost"] }],
    ["cluster", { cluster: [`${url}/1`] }],
    ["client", { client: {} }],
    ["client", { client: createSentinel({ name: "m", sentinelRootNodes: [{ host: "localhost", port: 1 }] }) }],
    ["client", { client: null }],
    ["tls", { url, tls: "yes" }],
    ["tls", { url: "rediss://localhost", tls: false }],
    ["tls", { client: createClient(), tls: true }],
    ["prefix", { url, prefix: "{a}" }],
    ["prefix", { url, prefix: 1 }],
    ["retryTimeout", { url, retryTimeout: 0 }],
    ["retryTimeout", { url, retryTimeout: "30s" }],
    ["requestTimeout", { url, requestTimeout: Number.NaN }],
    ["requestTimeout", { url, requestTimeout: 2 ** 31 }],
    ["waitReplicas", { url, waitReplicas: -1 }],
    ["waitReplicas", { url, waitReplicas: 1.5 }],
  ])("refuse what is no %s and name it: %j", (named, options) => {
    const refusal = expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining(`"${named}"`) });
    expect(() => redisStore(untyped(options))).toThrow(refusal);
    expect(() => redisStoreAt(untyped(options))).toThrow(refusal);
    expect(() => redisStoreAt(untyped(options))).not.toThrow(secret);
  });

  it.each<[location: string, options: RedisStoreOptions]>([
    ["redis://here:6379?prefix=team%20a%3A", { url: "redis://here", prefix: "team a:" }],
    ["redis://here:6379", { url: "redis://here", prefix: "scope-engine:" }],
    ["redis://localhost:6379", { url: "redis://localhost" }],
    ["redis://db.example.com:6380/2", { url: `redis://ada:${secret}@db.example.com:6380/2` }],
    ["rediss://db.example.com:6379", { url: `rediss://:${secret}@db.example.com` }],
    ["redis://[::1]:6379", { url: "redis://[::1]" }],
    ["redis://a:1,redis://b:2", { cluster: [`redis://ada:${secret}@a:1`, "redis://b:2"] }],
    ["the given client", { client: createClient({ url: `redis://ada:${secret}@localhost` }) }],
    ["the given client", { client: createCluster({ rootNodes: [{ url }] }) }],
    ["the given client", { client: new KeyvRedis(url) }],
  ])("say where the store is, without credentials: %s", (location, options) => {
    const store = redisStoreAt(options);
    expect(store).toMatchObject({ name: "redis", location, local: false });
    expect(JSON.stringify(store)).not.toContain(secret);
  });
});
