/** What the store asks of a Redis client: so much of `@redis/client` that no type of it stands in a public signature. */
import type { Bytes } from "../../core/base/index.js";

/** A word of a command. */
export type RedisArgument = string | Bytes;

/** What a command is sent with. */
export interface RedisSendOptions {
  readonly abortSignal?: AbortSignal;
  /** Replies come as strings and numbers, whatever the client's own mapping is. */
  readonly typeMapping?: Record<never, never>;
  /** Commands of one chain go through one connection, or are all rejected. */
  readonly chainId?: symbol;
}

/** A client of one server, such as `createClient` gives. */
export interface RedisServerClient {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  sendCommand(args: readonly RedisArgument[], options?: RedisSendOptions): Promise<unknown>;
}

/** A client of a cluster, such as `createCluster` gives. */
export interface RedisClusterClient {
  readonly isOpen: boolean;
  readonly slots: readonly { readonly master: unknown }[];
  connect(): Promise<unknown>;
  nodeClient(node: unknown): Promise<RedisServerClient>;
  sendCommand(
    firstKey: string,
    isReadonly: boolean,
    args: readonly RedisArgument[],
    options?: RedisSendOptions,
  ): Promise<unknown>;
}

/** A client of `@redis/client`, for a server or a cluster. */
export type RedisClient = RedisServerClient | RedisClusterClient;

export function isCluster(client: RedisClient): client is RedisClusterClient {
  return "slots" in client;
}

/** False for the client of sentinels, too: its commands go elsewhere. */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== "object" || value === null || "getSentinelNode" in value) return false;
  return ["connect", "sendCommand"].every((name) => typeof Reflect.get(value, name) === "function");
}
