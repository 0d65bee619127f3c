/** The Redis of a test, behind a network that treats its requests as the test says. */
import { type RedisStore, redisStoreAt } from "../../adapters/redis/index.js";
import { startProxy } from "../faults/proxy/proxy.js";
import type { ProxyRequest } from "../faults/proxy/request.js";
import { type FaultyStore, faultyStore } from "./faulty-store.js";

export const isWrite = ({ kind }: ProxyRequest): boolean => kind === "EVALSHA" || kind === "EVAL";
export const isRead = ({ kind }: ProxyRequest): boolean => ["GET", "MGET", "EXISTS", "ZRANGEBYLEX"].includes(kind);

/** Called in a block of tests. */
export function faultyRedis(url: string): FaultyStore<RedisStore> {
  return faultyStore({
    start: () => startProxy({ target: url, protocol: "redis" }),
    open: (proxy, prefix, requestTimeout) =>
      redisStoreAt({ url: proxy.url, prefix, requestTimeout, retryTimeout: 90_000 }),
    openDirect: (prefix) => redisStoreAt({ url, prefix }),
  });
}
