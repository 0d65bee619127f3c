/** Opens connections with KeyvRedis, which supports servers and clusters, and reports a lost connection as an event. */
import type { RedisClientOptions, RedisClusterOptions } from "@keyv/redis";
import { EngineError, isMissing, packageMissing } from "../../core/base/index.js";
import type { StoreContext } from "../../core/contract/index.js";
import { nodeIdentity } from "../kit/node-identity.js";
import { isRedisClient, type RedisAddress, type RedisClient, type RedisTarget, type RedisTls } from "./options.js";

export interface OpenedClient {
  readonly client: RedisClient;
  /** Closes it at once, with all pending requests. Never fails. */
  destroy(): void;
}

type OwnTarget = Exclude<RedisTarget, { readonly kind: "client" }>;

type SocketOptions = NonNullable<RedisClientOptions["socket"]>;

/** The members used of all clients of the driver. The compiler needs ten seconds for the union of their types. */
interface DriverClient {
  on(event: "error" | "node-ready", listener: (cause: unknown) => void): unknown;
  destroy(): unknown;
}

const DRIVER = "@keyv/redis";

/**
 * Opens a connection that never reconnects and queues no command, because the caller decides about retries. It does not
 * keep the process alive; the timer of a pending request does.
 *
 * @throws the error of the server, the network or TLS
 */
export async function connectOwn(target: OwnTarget, timeout: number, closing: AbortSignal): Promise<OpenedClient> {
  const KeyvRedis = await loadDriver();
  const sockets = new AbortController();
  const keyvRedis = new KeyvRedis(optionsFor(target, timeout, sockets.signal), { throwOnErrors: true });
  const driverClient: DriverClient = keyvRedis.client;
  const client: unknown = driverClient;
  if (!isRedisClient(client)) throw new Error(`${DRIVER} returned no client`);
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
  // Sockets have their own timeout for connecting; this one covers the requests after that.
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

/** The client of a cluster only reports that it reached no node; the reasons are emitted as events. */
function reasonOf(target: OwnTarget, newest: unknown, error: unknown): unknown {
  return target.kind === "cluster" ? (newest ?? error) : error;
}

/** Connects a client of the user if it is not connected. It is never closed. */
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
  const isNamed = target.tls && first && target.tls.servername === undefined;
  const socket = { ...common, ...(isNamed && { checkServerIdentity: nodeIdentity(first.host) }) };
  return {
    rootNodes: target.addresses.map(({ host, port }) => ({ socket: { host, port } })),
    defaults: { ...(first && identity(first)), disableOfflineQueue: true, socket },
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

/** Lets the process end despite a connection. Each node of a cluster has its own client, made on demand. */
function releaseProcess(client: object): void {
  if ("unref" in client && typeof client.unref === "function") client.unref();
  const masters: unknown = Reflect.get(client, "masters");
  if (!Array.isArray(masters)) return;
  for (const master of masters) if (master?.client) releaseProcess(master.client);
}

/** Ignores the error of a client that is already closed. */
function attempt(act: () => unknown): void {
  try {
    act();
  } catch {}
}

// Checks of the server's own report about itself.

type Warn = StoreContext["warn"];

export interface ServerAccount {
  /** Reply to INFO; undefined if this user must not call it. */
  readonly info: string | undefined;
  /** Value of CONFIG GET save; undefined if this user must not call it. */
  readonly save: string | undefined;
}

/** @throws an error like that of a replica for a write, because its data may be old */
export function checkRole({ info }: ServerAccount): void {
  if (fieldOf(info, "role") === "slave") throw new Error("READONLY the server is a replica");
}

/**
 * Warns about settings that endanger the state, as far as they are visible.
 *
 * @throws EngineError `STORE_FAILED` if the server may evict any key, because it could evict the fence of the state
 */
export function checkDurability({ info, save }: ServerAccount, location: string, warn: Warn): void {
  const policy = fieldOf(info, "maxmemory_policy");
  const limit = fieldOf(info, "maxmemory");
  if (policy !== undefined && limit !== undefined && limit !== "0") {
    if (policy.startsWith("allkeys-")) throw evicts(policy, location);
    if (policy !== "noeviction") {
      warn(
        "REDIS_EVICTION",
        `When its memory is full, Redis at ${location} evicts keys that have an expiry time (maxmemory-policy ${policy}). The state is safe only as long as nothing sets an expiry time on its keys. Set maxmemory-policy to noeviction.`,
      );
    }
  }
  if (save === "" && fieldOf(info, "aof_enabled") === "0") {
    warn(
      "REDIS_NOT_PERSISTENT",
      `Redis at ${location} writes nothing to disk, so a restart loses the state. Set appendonly to yes.`,
    );
  }
}

function evicts(policy: string, location: string): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `Redis at ${location} evicts any key when its memory is full (maxmemory-policy ${policy}). If it evicts a key of the state, two runs could write at once. Set maxmemory-policy to noeviction, or use another server.`,
  );
}

function fieldOf(info: string | undefined, name: string): string | undefined {
  return info?.match(new RegExp(`^${name}:(.*?)\r?$`, "m"))?.[1];
}
