/** What a server's own account of itself says about keeping state in it. */
import { EngineError } from "../../core/base/index.js";
import type { StoreContext } from "../../core/contract/index.js";

type Warn = StoreContext["warn"];

export interface ServerAccount {
  /** The text that INFO answers; undefined where this user may not ask. */
  readonly info: string | undefined;
  /** The value of CONFIG GET save; undefined where this user may not ask. */
  readonly save: string | undefined;
}

/** @throws an error such as a replica answers to a write: what it has may be old */
export function checkRole({ info }: ServerAccount): void {
  if (fieldOf(info, "role") === "slave") throw new Error("READONLY the server is a replica");
}

/**
 * Says nothing about what cannot be seen.
 *
 * @throws EngineError `STORE_FAILED` where the server may evict any key: the state's fence would go with it
 */
export function checkDurability({ info, save }: ServerAccount, location: string, warn: Warn): void {
  const policy = fieldOf(info, "maxmemory_policy");
  const limit = fieldOf(info, "maxmemory");
  if (policy !== undefined && limit !== undefined && limit !== "0") {
    if (policy.startsWith("allkeys-")) throw evicts(policy, location);
    if (policy !== "noeviction") {
      warn(
        "REDIS_EVICTION",
        `Redis at ${location} evicts keys that expire when its memory is full (maxmemory-policy ${policy}). The state's own keys never expire; use "noeviction" to be sure that it stays so.`,
      );
    }
  }
  if (save === "" && fieldOf(info, "aof_enabled") === "0") {
    warn(
      "REDIS_NOT_PERSISTENT",
      `Redis at ${location} keeps nothing on disk: a restart loses the state. Turn on appendonly.`,
    );
  }
}

function evicts(policy: string, location: string): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `Redis at ${location} evicts any key when its memory is full (maxmemory-policy ${policy}), and with one key of the state the protection against a second writer would be lost. Set maxmemory-policy to noeviction, or use another server.`,
  );
}

function fieldOf(info: string | undefined, name: string): string | undefined {
  return info?.match(new RegExp(`^${name}:(.*?)\r?$`, "m"))?.[1];
}
