/** The stores that machines share, on the servers of the test run. */
import { redisStoreAt } from "../../adapters/redis.js";
import type { StateStore } from "../../core/state/store.js";
import { redisUrlIn } from "../servers/variables.js";
import { s3TestStore } from "./s3-store.js";

export type RemoteName = "s3" | "redis";

/** @param prefix of nobody else, for that makes a state of its own */
export function remoteStore(name: RemoteName, prefix: string): StateStore {
  return name === "s3" ? s3TestStore(prefix) : redisTestStore(prefix);
}

function redisTestStore(prefix: string): StateStore {
  const url = redisUrlIn(process.env);
  if (url === undefined) throw new Error("There is no Redis server: ask for it with describeWithRedis.");
  return redisStoreAt({ url, prefix: `${prefix}:` });
}
