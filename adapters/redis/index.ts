/** Store for state in Redis: one server, or a cluster. */
import { EngineError, type Environment } from "../../core/base/index.js";
import type { StoreContext, StoreFactory } from "../../core/contract/index.js";
import { checkDurability } from "./connect.js";
import { openRedis } from "./open.js";
import { checkRedisOptions, type RedisStore, type RedisStoreOptions } from "./options.js";

export type {
  RedisArgument,
  RedisClient,
  RedisClusterClient,
  RedisSendOptions,
  RedisServerClient,
  RedisStore,
  RedisStoreOptions,
  RedisTls,
} from "./options.js";

/**
 * Returns the `stateStore` option for state in Redis, which several machines can share. It needs the package
 * `@keyv/redis`.
 *
 * The store checks the server on first use, if this user may read its settings. It refuses a server that evicts any key
 * when its memory is full. For other risks, a run gets the warnings `REDIS_EVICTION` and `REDIS_NOT_PERSISTENT`.
 *
 * @param options Without them the environment names the server: `ENGINE_STATE`, else `ENGINE_REDIS_URL`, else
 * `REDIS_URL`, as `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `rediss://…`.
 * @throws EngineError `INVALID_OPTION`, also from `engine()` if the environment names no server
 * @example
 * ```ts
 * await engine("my-app", { stateStore: redisStore({ url: "rediss://ada:secret@redis.example.com:6379" }) });
 * await engine("my-app", { stateStore: redisStore() });
 * ```
 */
export function redisStore(options?: RedisStoreOptions): StoreFactory<RedisStore> {
  if (options === undefined) {
    const factory: StoreFactory<RedisStore> = (context) =>
      redisStore({ url: urlIn(context.env ?? process.env) })(context);
    return Object.assign(factory, { schemes: ["redis", "rediss"] });
  }
  const settings = checkRedisOptions(options);
  return ({ warn }) => {
    const warned = new Set<string>();
    // Each new connection is checked, because the same name may lead to another server.
    const warnOnce: StoreContext["warn"] = (code, message) => {
      if (warned.has(code)) return;
      warned.add(code);
      warn(code, message);
    };
    return openRedis(settings, (account) => checkDurability(account, settings.location, warnOnce));
  };
}

function urlIn({ ENGINE_REDIS_URL, REDIS_URL }: Environment): string {
  const url = ENGINE_REDIS_URL || REDIS_URL;
  if (url) return url;
  const where = "pass { url }, or set ENGINE_REDIS_URL, REDIS_URL or ENGINE_STATE to redis://HOST:PORT";
  throw new EngineError("INVALID_OPTION", `redisStore() needs a server: ${where}.`);
}

/**
 * Returns the store without a run. It connects on first use. It does not check how the server keeps its data.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function redisStoreAt(options: RedisStoreOptions): RedisStore {
  return openRedis(checkRedisOptions(options), () => {});
}
