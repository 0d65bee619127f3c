/** The stores that machines share, on the servers of the test run. */
import { hash } from "node:crypto";
import { postgresStoreAt } from "../../../adapters/postgres/index.js";
import { redisStoreAt } from "../../../adapters/redis/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { postgresUrlIn, redisUrlIn, s3SettingsIn } from "../../servers/variables.js";
import { s3TestStore } from "./s3-store.js";

export type RemoteName = "s3" | "redis" | "postgres";

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
  if (name === "postgres") {
    return postgresStoreAt({ connectionString: url ?? serverUrl("postgres"), table: tableOf(prefix), ...times });
  }
  return redisStoreAt({ url: url ?? serverUrl("redis"), prefix: `${prefix}:`, ...times });
}

/** The protocol of a proxy before the server. */
export const PROTOCOL_OF = { s3: "http", redis: "redis", postgres: "postgres" } as const;

/** The table of a prefix, on the server that the tests share. */
export function tableOf(prefix: string): string {
  return `t${hash("sha256", prefix, "hex").slice(0, 32)}`;
}

/** The address of the server; a test requests it with `describeWithS3`, `describeWithRedis` and the like. */
export function serverUrl(name: RemoteName): string {
  const urls: Readonly<Record<RemoteName, string | undefined>> = {
    s3: s3SettingsIn(process.env)?.endpoint,
    redis: redisUrlIn(process.env),
    postgres: postgresUrlIn(process.env),
  };
  const url = urls[name];
  if (url === undefined) throw new Error(`There is no server for ${name}.`);
  return url;
}
