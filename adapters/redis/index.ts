/** State in Redis: one server, or a cluster. */
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
 * The `stateStore` option for state in Redis, which all machines share. Needs the package `@keyv/redis`.
 *
 * The server is looked at when it is first used: one that evicts any key when its memory is full is refused, and a run
 * is warned by `REDIS_EVICTION` and `REDIS_NOT_PERSISTENT`, as far as this user may see that.
 *
 * @param options Without them the environment says where the server is: `ENGINE_STATE`, else `ENGINE_REDIS_URL`, else `REDIS_URL`, as
 * `redis://USER:PASSWORD@HOST:PORT/DATABASE` or `rediss://…`.
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
    // A connection that was lost is looked at anew: behind the same name may be another server.
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
  throw new EngineError("INVALID_OPTION", `redisStore() is not told its server: ${where}.`);
}

/**
 * The store by itself. It opens its connection when it is first used. How the server keeps its data is not looked at.
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function redisStoreAt(options: RedisStoreOptions): RedisStore {
  return openRedis(checkRedisOptions(options), () => {});
}
