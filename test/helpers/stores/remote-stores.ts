/** The stores that machines share, on the servers of the test run. */
import { redisStoreAt } from "../../../adapters/redis/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { redisUrlIn, s3SettingsIn } from "../../servers/variables.js";
import { s3TestStore } from "./s3-store.js";

export type RemoteName = "s3" | "redis";

/** An indirect way to the server. */
export interface Way {
  /** Replaces the server's address. */
  readonly url?: string;
  readonly requestTimeout?: number;
  readonly retryTimeout?: number;
}

/** @param prefix unique, because it makes a state of its own */
export function remoteStore(name: RemoteName, prefix: string, { url, ...times }: Way = {}): StateStore {
  if (name === "s3") return s3TestStore(prefix, { endpoint: url ?? serverUrl("s3"), ...times });
  return redisStoreAt({ url: url ?? serverUrl("redis"), prefix: `${prefix}:`, ...times });
}

/** The address of the server; a test requests it with `describeWithS3` or `describeWithRedis`. */
export function serverUrl(name: RemoteName): string {
  const url = name === "s3" ? s3SettingsIn(process.env)?.endpoint : redisUrlIn(process.env);
  if (url === undefined) throw new Error(`There is no server for ${name}.`);
  return url;
}
