import { anything, type Bytes, checkGiven, EngineError, type RulesOf } from "../../core/base/index.js";
import type { KeyvStorageAdapter } from "../kit/keyv-adapter.js";

/**
 * Maximum of a timeout: a new connection may take twice as long, and timers of Node.js are limited to 2^31
 * milliseconds.
 */
const LONGEST_TIME = 1_000_000_000;

/** A store in Redis. */
export interface RedisStore extends KeyvStorageAdapter {
  readonly location: string;
  /** Closes the store's own connection at once; a given client stays open. */
  close(): Promise<void>;
}

/** Options for Node's `tls.connect`. */
export interface RedisTls {
  readonly ca?: string | Bytes | readonly (string | Bytes)[];
  readonly cert?: string | Bytes;
  readonly key?: string | Bytes;
  readonly passphrase?: string;
  /** The name that the server's certificate must have. Default: the host. */
  readonly servername?: string;
  /** False: accept any certificate; only for tests. */
  readonly rejectUnauthorized?: boolean;
}

/** Options of {@link redisStore}: the server, and timeouts. */
export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. One of `url`, `cluster` and `client` is needed. */
  readonly url?: string;
  /** URLs of some nodes of a cluster, which report the others; the first one has the user and the password. */
  readonly cluster?: readonly string[];
  /**
   * A client of `@redis/client` for a server or a cluster, or a `KeyvRedis`. The store connects it if necessary, and
   * never closes it.
   */
  readonly client?: RedisClient | { readonly client: unknown };
  /** True or options: use TLS, also for a `redis://` URL. */
  readonly tls?: boolean | RedisTls;
  /** Prefix of all keys in Redis. Default: `scope-engine:`. */
  readonly prefix?: string;
  /** Milliseconds after which an operation without an answer rejects. Default: 30,000. */
  readonly retryTimeout?: number;
  /** Milliseconds after which a single try closes its connection. Default: 10,000. */
  readonly requestTimeout?: number;
  /** Number of replicas that must confirm a write. Default: 0. */
  readonly waitReplicas?: number;
}

/** The server, cluster or client to use. */
export type RedisTarget =
  | { readonly kind: "client"; readonly client: RedisClient }
  | { readonly kind: "server"; readonly address: RedisAddress; readonly tls: RedisTls | undefined }
  | { readonly kind: "cluster"; readonly addresses: readonly RedisAddress[]; readonly tls: RedisTls | undefined };

export interface RedisSettings {
  readonly target: RedisTarget;
  readonly location: string;
  readonly prefix: string;
  readonly retryTimeout: number;
  readonly requestTimeout: number;
  readonly waitReplicas: number;
}

const DEFAULT_PREFIX = "scope-engine:";

/** Known options; {@link checkRedisOptions} checks their values. */
const KNOWN: RulesOf<RedisStoreOptions> = {
  url: anything,
  cluster: anything,
  client: anything,
  tls: anything,
  prefix: anything,
  retryTimeout: anything,
  requestTimeout: anything,
  waitReplicas: anything,
};

/** @throws EngineError `INVALID_OPTION`, which names the option and never its value */
export function checkRedisOptions(options: RedisStoreOptions): RedisSettings {
  checkGiven("redisStore", options, KNOWN);
  const { prefix = DEFAULT_PREFIX } = options;
  const { retryTimeout = 30_000, requestTimeout = 10_000, waitReplicas = 0 } = options;
  if (typeof prefix !== "string" || /[{}]/.test(prefix)) throw invalid("prefix", "a string without braces");
  for (const [name, value] of Object.entries({ retryTimeout, requestTimeout })) {
    if (!Number.isSafeInteger(value) || value < 1 || value > LONGEST_TIME) {
      throw invalid(name, "a whole number of milliseconds from 1 to 1,000,000,000");
    }
  }
  if (!Number.isSafeInteger(waitReplicas) || waitReplicas < 0) throw invalid("waitReplicas", "a whole number from 0");
  const target = targetOf(options);
  const isPlain = prefix === DEFAULT_PREFIX || target.kind === "client";
  const location = `${whereIs(target)}${isPlain ? "" : `?prefix=${encodeURIComponent(prefix)}`}`;
  return { target, location, prefix, retryTimeout, requestTimeout, waitReplicas };
}

function targetOf({ url, cluster, client, tls }: RedisStoreOptions): RedisTarget {
  if ([url, cluster, client].filter((given) => given !== undefined).length !== 1) {
    throw new EngineError("INVALID_OPTION", 'Redis: pass exactly one of the options "url", "cluster" and "client".');
  }
  if (client !== undefined) {
    if (tls !== undefined)
      throw new EngineError("INVALID_OPTION", 'Redis: a "client" has its own TLS settings. Remove "tls".');
    return { kind: "client", client: clientIn(client) };
  }
  if (tls !== undefined && typeof tls !== "boolean" && (typeof tls !== "object" || tls === null)) {
    throw invalid("tls", "true, false or an object such as { ca }");
  }
  if (cluster === undefined) {
    if (typeof url !== "string") throw invalid("url", "a string");
    const address = parseAddress("url", url);
    return { kind: "server", address, tls: tlsFor("url", address, tls) };
  }
  if (!Array.isArray(cluster) || !cluster.every((node) => typeof node === "string")) {
    throw invalid("cluster", "a list of URLs");
  }
  const addresses = cluster.map((node) => parseAddress("cluster", node));
  const [first] = addresses;
  if (!first) throw invalid("cluster", "a list of at least one URL");
  if (addresses.some(({ database }) => database !== 0))
    throw invalid("cluster", "a list of URLs without a database, because a cluster has only one");
  if (addresses.some((node) => node.tls !== first.tls))
    throw invalid("cluster", "a list of URLs that all begin with redis://, or all with rediss://");
  return { kind: "cluster", addresses, tls: tlsFor("cluster", first, tls) };
}

function tlsFor(option: string, address: RedisAddress, tls: boolean | RedisTls | undefined): RedisTls | undefined {
  if (tls === false && address.tls) {
    throw new EngineError(
      "INVALID_OPTION",
      `Redis: "tls" is false, but the address in "${option}" begins with rediss://, which means TLS. Remove "tls", or write redis://.`,
    );
  }
  if (typeof tls === "object") return tls;
  return tls === true || address.tls ? {} : undefined;
}

function clientIn(given: unknown): RedisClient {
  const inner = typeof given === "object" && given !== null && "client" in given ? given.client : given;
  if (isRedisClient(inner)) return inner;
  throw invalid(
    "client",
    "a client of @redis/client for a server or a cluster (not for sentinels), or a KeyvRedis with such a client",
  );
}

function whereIs(target: RedisTarget): string {
  if (target.kind === "client") return "the given client";
  return target.kind === "server" ? locationOf(target.address) : target.addresses.map(locationOf).join(",");
}

function invalid(option: string, allowed: string): EngineError {
  return new EngineError("INVALID_OPTION", `Redis: option "${option}" must be ${allowed}.`);
}

export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
}

/** @throws EngineError `INVALID_OPTION`, which does not quote the text, because it may contain a password */
function parseAddress(option: string, text: string): RedisAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isRedis = url?.protocol === "redis:" || url?.protocol === "rediss:";
  const database = Number(url?.pathname.slice(1) ?? "");
  // An unencoded "?" or "#" in a password would end the address, and the user's name would become the host.
  const isCut = url !== undefined && (url.search !== "" || url.hash !== "");
  if (!url || !isRedis || isCut || url.hostname === "" || !Number.isSafeInteger(database) || database < 0) {
    throw new EngineError(
      "INVALID_OPTION",
      `Redis: option "${option}" must look like redis://user:password@host:6379/0, or rediss:// for TLS. Percent-encode special characters in a password.`,
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? 6379 : Number(url.port),
    tls: url.protocol === "rediss:",
    username: decoded(option, url.username),
    password: decoded(option, url.password),
    database,
  };
}

/** Formats an address for messages, without credentials. */
function locationOf({ host, port, tls, database }: RedisAddress): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return `${tls ? "rediss" : "redis"}://${name}:${port}${database === 0 ? "" : `/${database}`}`;
}

function decoded(option: string, part: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw notDecoded(option, error);
  }
}

function notDecoded(option: string, cause: unknown): EngineError {
  const message = `Redis: in the option "${option}", the user or the password contains a "%" that is not encoded. Write it as "%25".`;
  return new EngineError("INVALID_OPTION", message, { cause });
}

/** An argument of a command. */
export type RedisArgument = string | Bytes;

/** Options for sending a command. */
export interface RedisSendOptions {
  readonly abortSignal?: AbortSignal;
  /** Replies come as strings and numbers, whatever the client's own mapping is. */
  readonly typeMapping?: Record<never, never>;
  /** Commands of one chain go through one connection, or are all rejected. */
  readonly chainId?: symbol;
}

/** A client of one server, such as that of `createClient`. */
export interface RedisServerClient {
  readonly isOpen: boolean;
  connect(): Promise<unknown>;
  sendCommand(args: readonly RedisArgument[], options?: RedisSendOptions): Promise<unknown>;
}

/** A client of a cluster, such as that of `createCluster`. */
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

/** Recognizes a client. False for a client of sentinels, because its `sendCommand` takes other arguments. */
export function isRedisClient(value: unknown): value is RedisClient {
  if (typeof value !== "object" || value === null || "getSentinelNode" in value) return false;
  return ["connect", "sendCommand"].every((name) => typeof Reflect.get(value, name) === "function");
}
