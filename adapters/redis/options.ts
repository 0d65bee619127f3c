import { anything, type Bytes, checkGiven, EngineError, type RulesOf } from "../../core/base/index.js";
import { locationOf, parseAddress, type RedisAddress } from "./address.js";
import { isRedisClient, type RedisClient } from "./client.js";

/** A new connection may take twice as long, and no timer of Node.js waits for more than 2^31 milliseconds. */
const LONGEST_TIME = 1_000_000_000;

/** As Node's `tls.connect` takes them. */
export interface RedisTls {
  readonly ca?: string | Bytes | readonly (string | Bytes)[];
  readonly cert?: string | Bytes;
  readonly key?: string | Bytes;
  readonly passphrase?: string;
  /** The name that the server's certificate must bear. Default: the host. */
  readonly servername?: string;
  /** False: any certificate will do; for tests alone. */
  readonly rejectUnauthorized?: boolean;
}

/** Where the Redis server is, and how long it is waited for. */
export interface RedisStoreOptions {
  /** `redis://user:password@host:6379/0`, or `rediss://` for TLS. One of `url`, `cluster` and `client` is needed. */
  readonly url?: string;
  /** URLs of some nodes of a cluster, which name the others; user and password are taken from the first. */
  readonly cluster?: readonly string[];
  /** A client of `@redis/client`, be it of a server or of a cluster, or a `KeyvRedis`. It is connected if it is not, and never closed. */
  readonly client?: RedisClient | { readonly client: unknown };
  /** TLS also for a `redis://` URL, and how. */
  readonly tls?: boolean | RedisTls;
  /** What all keys in Redis begin with. Default: `scope-engine:`. */
  readonly prefix?: string;
  /** Milliseconds after which an operation that had no answer so far rejects. Default: 30,000. */
  readonly retryTimeout?: number;
  /** Milliseconds after which a single try gives up its connection. Default: 10,000. */
  readonly requestTimeout?: number;
  /** How many replicas must have taken over a write before it counts. Default: 0. */
  readonly waitReplicas?: number;
}

/** Where the server is. */
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

/** Their values are checked below, together. */
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
    throw new EngineError(
      "INVALID_OPTION",
      'Redis: exactly one of the options "url", "cluster" and "client" is needed.',
    );
  }
  if (client !== undefined) {
    if (tls !== undefined) throw new EngineError("INVALID_OPTION", 'Redis: a "client" has its own TLS: drop "tls".');
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
    throw invalid("cluster", "without a database, for it has one only");
  if (addresses.some((node) => node.tls !== first.tls)) throw invalid("cluster", "all redis:// or all rediss://");
  return { kind: "cluster", addresses, tls: tlsFor("cluster", first, tls) };
}

function tlsFor(option: string, address: RedisAddress, tls: boolean | RedisTls | undefined): RedisTls | undefined {
  if (tls === false && address.tls) {
    throw new EngineError("INVALID_OPTION", `Redis: "tls" is false, and the option "${option}" says rediss://.`);
  }
  if (typeof tls === "object") return tls;
  return tls === true || address.tls ? {} : undefined;
}

function clientIn(given: unknown): RedisClient {
  const inner = typeof given === "object" && given !== null && "client" in given ? given.client : given;
  if (isRedisClient(inner)) return inner;
  throw invalid(
    "client",
    "a client of @redis/client for a server or a cluster, or a KeyvRedis with one; not sentinels",
  );
}

function whereIs(target: RedisTarget): string {
  if (target.kind === "client") return "the given client";
  return target.kind === "server" ? locationOf(target.address) : target.addresses.map(locationOf).join(",");
}

function invalid(option: string, allowed: string): EngineError {
  return new EngineError("INVALID_OPTION", `Redis: option "${option}" must be ${allowed}.`);
}
