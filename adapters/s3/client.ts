/** Loads the AWS SDK with the first request, and creates its client. */
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { ignore, isMissing, packageMissing } from "../../core/base/index.js";
import { needsProxyPackage, proxyOptions, throughProxy } from "../kit/proxy.js";
import type { S3StoreOptions } from "./options.js";

export type Sdk = typeof import("@aws-sdk/client-s3");

export interface Connection {
  readonly sdk: Sdk;
  readonly client: S3Client;
}

const SDK = "@aws-sdk/client-s3";

/** Maximum of sockets: the default number of handlers that run at once. */
const MOST_SOCKETS = 64;

const CONNECTION_TIMEOUT = 5_000;

const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Opens connections on first use, and again after a close. */
export class Connector {
  readonly #options: S3StoreOptions;
  #opening: Promise<Connection> | undefined;
  /** Number of pending requests per connection. */
  readonly #users = new Map<Connection, number>();

  constructor(options: S3StoreOptions) {
    this.#options = options;
  }

  /**
   * Runs work with a connection. A retry after a close opens new connections; the last user closes them.
   *
   * @throws EngineError `PACKAGE_MISSING`
   */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const opening = this.#open();
    const connection = await opening;
    this.#users.set(connection, (this.#users.get(connection) ?? 0) + 1);
    try {
      return await work(connection);
    } finally {
      const others = (this.#users.get(connection) ?? 1) - 1;
      this.#users.set(connection, others);
      if (others === 0) this.#users.delete(connection);
      if (others === 0 && this.#opening !== opening) this.#end(connection);
    }
  }

  #open(): Promise<Connection> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  /** Closes the connections of a client that the store made itself. */
  async close(): Promise<void> {
    const opening = this.#opening;
    this.#opening = undefined;
    if (opening !== undefined) this.#end(await opening);
  }

  #end({ client }: Connection): void {
    if (this.#options.client === undefined) client.destroy();
  }

  async #connect(): Promise<Connection> {
    const sdk = await loadSdk();
    if (this.#options.client) return { sdk, client: this.#options.client };
    const client = new sdk.S3Client(configOf(this.#options));
    if (needsProxyPackage()) sendThroughProxy(client);
    return { sdk, client };
  }
}

async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@aws-sdk/client-s3");
  } catch (error) {
    throw isMissing(error, SDK) ? packageMissing(SDK, error) : error;
  }
}

/** Returns the region. Services other than AWS have none, but require one. Undefined: that of the AWS configuration. */
export function regionOf({ region, endpoint }: S3StoreOptions): string | undefined {
  return region ?? (endpoint === undefined ? undefined : "us-east-1");
}

function configOf(options: S3StoreOptions): S3ClientConfig {
  const { endpoint, profile, credentials, forcePathStyle } = options;
  const isElsewhere = endpoint !== undefined;
  const agent = { keepAlive: true, maxSockets: MOST_SOCKETS, ...proxyOptions() };
  return {
    ...given({ region: regionOf(options), endpoint, profile, credentials }),
    forcePathStyle: forcePathStyle ?? isElsewhere,
    // The store retries itself, because it must know if an earlier attempt may have taken effect.
    maxAttempts: 1,
    // Not every service knows the newer checksums; the ledger has its own digests.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    expectContinueHeader: false,
    logger: silent,
    requestHandler: { connectionTimeout: CONNECTION_TIMEOUT, httpAgent: agent, httpsAgent: agent, logger: silent },
  };
}

/** Removes undefined members, which the SDK treats as values. */
function given<T extends object>(members: T): Partial<T> {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<T>;
}

/** A request as the SDK passes it to its handler. */
interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/**
 * Sends requests through the proxy of the environment if Node's own agents do not support proxies. The client's own
 * handler sends requests without a proxy.
 */
function sendThroughProxy({ config: { requestHandler: handler } }: S3Client): void {
  const direct = handler.handle.bind(handler);
  handler.handle = async (request: SignedRequest, options = {}) => {
    const { protocol, hostname, port, method, headers, body = null } = request;
    const origin = `${protocol}//${hostname}${port === undefined ? "" : `:${port}`}`;
    const through = await throughProxy(new URL(origin));
    if (!through) return direct(request, options);
    const signal: unknown = Reflect.get(options, "abortSignal");
    const answer = await through.agent.request({
      origin,
      path: targetOf(request),
      method,
      headers,
      body,
      signal: signal ?? null,
    });
    const fields = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat().join(", ")]);
    return { response: { statusCode: answer.statusCode, headers: Object.fromEntries(fields), body: answer.body } };
  };
}

/** Returns path and query as they were signed: sorted by name, and escaped as S3 requires. */
function targetOf({ path, query = {} }: SignedRequest): string {
  const pairs = Object.keys(query)
    .sort()
    .flatMap((name) => {
      const value = query[name];
      if (value === null || value === undefined) return escaped(name);
      return [value].flat().map((one) => `${escaped(name)}=${escaped(one)}`);
    });
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
