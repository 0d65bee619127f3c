/** Connections of our own, made by KeyvRedis: it takes a server and a cluster alike, and a lost connection for an event. */
import type { RedisClientOptions, RedisClusterOptions } from "@keyv/redis";
import { EngineError, isMissing, packageMissing } from "../../core/base/index.js";
import type { StoreContext } from "../../core/contract/index.js";
import { isRedisClient, type RedisAddress, type RedisClient, type RedisTarget, type RedisTls } from "./options.js";

export interface OpenedClient {
  readonly client: RedisClient;
  /** Ends it at once, with all that is under way; never fails. */
  destroy(): void;
}

type OwnTarget = Exclude<RedisTarget, { readonly kind: "client" }>;

type SocketOptions = NonNullable<RedisClientOptions["socket"]>;

/** What is asked of each client of the driver alike: the compiler takes ten seconds for what their types have in common. */
interface DriverClient {
  on(event: "error" | "node-ready", listener: (cause: unknown) => void): unknown;
  destroy(): unknown;
}

const DRIVER = "@keyv/redis";

/**
 * It never connects anew by itself and keeps no command for later: whoever asks knows how long to go on. It holds no
 * process up; the timer of a request does, as long as one is under way.
 *
 * @throws what the server, the network or TLS says
 */
export async function connectOwn(target: OwnTarget, timeout: number, closing: AbortSignal): Promise<OpenedClient> {
  const KeyvRedis = await loadDriver();
  const sockets = new AbortController();
  const keyvRedis = new KeyvRedis(optionsFor(target, timeout, sockets.signal), { throwOnErrors: true });
  const driverClient: DriverClient = keyvRedis.client;
  const client: unknown = driverClient;
  if (!isRedisClient(client)) throw new Error(`${DRIVER} gave no client`);
  let newest: unknown;
  driverClient.on("error", (error) => {
    newest = error;
  });
  driverClient.on("node-ready", () => releaseProcess(client));
  releaseProcess(client);
  const destroy = () => {
    sockets.abort();
    attempt(() => driverClient.destroy());
  };
  // Sockets have a limit of their own while they connect; this one is for what the server is asked behind that.
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    destroy();
  }, 2 * timeout).unref();
  closing.addEventListener("abort", destroy);
  try {
    closing.throwIfAborted();
    await client.connect();
  } catch (error) {
    destroy();
    throw isLate ? noAnswer(2 * timeout) : reasonOf(target, newest, error);
  } finally {
    clearTimeout(late);
    closing.removeEventListener("abort", destroy);
  }
  return { client, destroy };
}

function noAnswer(milliseconds: number): Error {
  return new Error(`no answer within ${milliseconds} ms to a new connection`);
}

/** A cluster's client fails with no more than that no node could be reached; why each could not comes as an event. */
function reasonOf(target: OwnTarget, newest: unknown, error: unknown): unknown {
  return target.kind === "cluster" ? (newest ?? error) : error;
}

/** A client that the user made: connected where it is not, and never ended. */
export async function connectGiven(client: RedisClient): Promise<OpenedClient> {
  if (!client.isOpen) await client.connect();
  return { client, destroy: () => {} };
}

/** @throws EngineError `PACKAGE_MISSING` */
export async function loadDriver(): Promise<typeof import("@keyv/redis").default> {
  try {
    return (await import("@keyv/redis")).default;
  } catch (error) {
    throw isMissing(error, DRIVER) ? packageMissing(DRIVER, error) : error;
  }
}

function optionsFor(target: OwnTarget, timeout: number, signal: AbortSignal): RedisClientOptions | RedisClusterOptions {
  const common = { connectTimeout: timeout, reconnectStrategy: false, signal, ...tlsOptions(target.tls) } as const;
  if (target.kind === "server") {
    const { host, port, database } = target.address;
    return { ...identity(target.address), database, disableOfflineQueue: true, socket: { ...common, host, port } };
  }
  const [first] = target.addresses;
  return {
    rootNodes: target.addresses.map(({ host, port }) => ({ socket: { host, port } })),
    defaults: { ...(first && identity(first)), disableOfflineQueue: true, socket: common },
    minimizeConnections: true,
  };
}

function identity({ username, password }: RedisAddress): Pick<RedisClientOptions, "username" | "password"> {
  return { username, password };
}

function tlsOptions(tls: RedisTls | undefined): SocketOptions {
  if (!tls) return {};
  const { ca, ...rest } = tls;
  const authorities = typeof ca === "string" || Buffer.isBuffer(ca) ? ca : ca && [...ca];
  return { tls: true, ...rest, ...(authorities && { ca: authorities }) };
}

/** Each node of a cluster has a client of its own, there once it is needed. */
function releaseProcess(client: object): void {
  if ("unref" in client && typeof client.unref === "function") client.unref();
  const masters: unknown = Reflect.get(client, "masters");
  if (!Array.isArray(masters)) return;
  for (const master of masters) if (master?.client) releaseProcess(master.client);
}

/** What is closed already says so by an error. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {}
}

// What a server's own account of itself says about keeping state in it.

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
