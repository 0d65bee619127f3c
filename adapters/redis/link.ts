import { codeOf, EngineError, isEngineError, messageOf } from "../../core/base/index.js";
import { isOfTls } from "../kit/retry.js";
import type { OpenedClient, ServerAccount } from "./connect.js";
import {
  isCluster,
  type RedisArgument,
  type RedisClient,
  type RedisSendOptions,
  type RedisServerClient,
} from "./options.js";

export interface Connection {
  readonly route: Route;
  /**
   * Rejects if the server is not suitable for state. The check is sent after the first command. Undefined once the
   * server is known to be suitable.
   */
  checked: Promise<void> | undefined;
}

export interface LinkOptions {
  /** Called before requests until it has succeeded. Its failures are not those of the server. */
  prepare(): Promise<unknown>;
  /** False: the connection belongs to the program, so it stays open when it is dropped. */
  readonly isOwn: boolean;
  /** Opens a connection, until the signal aborts. */
  connect(signal: AbortSignal): Promise<OpenedClient>;
  /** Throws if the server is not suitable. */
  check(account: ServerAccount): void;
  /** A key that selects the server of a cluster for the check. */
  readonly anyKey: string;
}

/** Holds one connection, opened on demand, and opened again after it was dropped. */
export class Link {
  readonly #options: LinkOptions;
  #current: Promise<Connection> | undefined;
  #open: Connection | undefined;
  #isPrepared = false;
  /** Functions that close the open connections. */
  readonly #ends = new Map<Connection, () => void>();
  readonly #closing = new AbortController();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isOwn(): boolean {
    return this.#options.isOwn;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Returns a promise to await before a request, if any. */
  prepare(): Promise<void> | undefined {
    if (this.#isPrepared) return undefined;
    return this.#options.prepare().then(() => {
      this.#isPrepared = true;
    });
  }

  /** Returns a promise only as long as no connection is open. */
  connection(): Connection | Promise<Connection> {
    if (this.isClosed) return Promise.reject(new Error("the store was closed"));
    if (this.#open) return this.#open;
    this.#current ??= this.#connect();
    return this.#current;
  }

  /** Closes a connection. Its pending requests are rejected. */
  drop(connection: Connection): void {
    const end = this.#ends.get(connection);
    if (!end) return;
    this.#ends.delete(connection);
    this.#current = undefined;
    this.#open = undefined;
    end();
  }

  close(): void {
    this.#closing.abort();
    for (const connection of this.#ends.keys()) this.drop(connection);
  }

  async #connect(): Promise<Connection> {
    try {
      const opened = await this.#options.connect(this.#closing.signal);
      if (this.isClosed) {
        opened.destroy();
        throw new Error("the store was closed");
      }
      const route = routeOf(opened.client);
      const asking = new AbortController();
      const checked = this.#check(route, asking.signal);
      const connection: Connection = { route, checked };
      checked.then(
        () => {
          connection.checked = undefined;
        },
        // Each request that needs the check reports its failure.
        () => {},
      );
      this.#open = connection;
      this.#ends.set(connection, () => {
        asking.abort();
        opened.destroy();
      });
      return connection;
    } catch (error) {
      this.#current = undefined;
      throw error;
    }
  }

  async #check(route: Route, signal: AbortSignal): Promise<void> {
    const ask = (...args: string[]): Promise<unknown> =>
      route.send({ key: this.#options.anyKey, args }, signal).catch(unlessForbidden);
    const [info, save] = await Promise.all([ask("INFO"), ask("CONFIG", "GET", "save")]);
    this.#options.check({
      info: typeof info === "string" ? info : undefined,
      save: Array.isArray(save) && typeof save[1] === "string" ? save[1] : undefined,
    });
  }
}

/** Ignores a refusal by the server, but not a lost connection. */
function unlessForbidden(error: unknown): undefined {
  if (replyCode(error) === "") throw error;
}

const SLOTS = 16_384;

/** Polynomial of CRC-16/XMODEM, from the cluster specification of Redis. */
const POLYNOMIAL = 0x1021;

/** Returns the slot of a cluster for `key`: that of its hash tag, if it has one. */
export function slotOf(key: string): number {
  const open = key.indexOf("{");
  const close = key.indexOf("}", open + 1);
  const hashed = open >= 0 && close > open + 1 ? key.slice(open + 1, close) : key;
  let crc = 0;
  for (const byte of Buffer.from(hashed)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ POLYNOMIAL : crc << 1) & 0xffff;
  }
  return crc % SLOTS;
}

/** A command, and a key in Redis that selects the server of a cluster. */
export interface Command {
  readonly key: string;
  readonly args: readonly RedisArgument[];
}

/** Sends commands to the primary, never to a replica, which may have old data. */
interface Route {
  send(command: Command, signal: AbortSignal | undefined): Promise<unknown>;
  /** Sends both through one connection, the second one right after the first, or neither. */
  sendPair(
    first: Command,
    second: readonly RedisArgument[],
    signal: AbortSignal | undefined,
  ): Promise<[unknown, unknown]>;
}

function routeOf(client: RedisClient): Route {
  if (!isCluster(client)) {
    return {
      send: ({ args }, signal) => client.sendCommand(args, options(signal)),
      sendPair: (first, second, signal) => pair(client, first, second, signal),
    };
  }
  const send: Route["send"] = ({ key, args }, signal) => client.sendCommand(key, false, args, options(signal));
  return {
    send,
    async sendPair(first, second, signal) {
      const node = await client.nodeClient(client.slots[slotOf(first.key)]?.master);
      try {
        return await pair(node, first, second, signal);
      } catch (error) {
        // A command through the cluster's client follows a moved slot, so that the next try finds it.
        if (replyCode(error) === "MOVED") await send({ key: first.key, args: ["EXISTS", first.key] }, signal);
        throw error;
      }
    },
  };
}

async function pair(
  client: RedisServerClient,
  first: Command,
  second: readonly RedisArgument[],
  signal: AbortSignal | undefined,
): Promise<[unknown, unknown]> {
  const chained = { ...options(signal), chainId: Symbol("pair") };
  return Promise.all([client.sendCommand(first.args, chained), client.sendCommand(second, chained)]);
}

const PLAIN: RedisSendOptions = { typeMapping: {} };

function options(abortSignal: AbortSignal | undefined): RedisSendOptions {
  return abortSignal ? { abortSignal, ...PLAIN } : PLAIN;
}

/** Replies that mean "not now". */
const passing = new Set(["ASK", "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MOVED", "NOREPLICAS", "TRYAGAIN"]);

/** Returns the first word of an error reply, e.g. "NOAUTH"; empty for errors that are not replies. */
export function replyCode(error: unknown): string {
  if (!(error instanceof Error) || "code" in error) return "";
  return error.message.match(/^[A-Z]{2,}(?=\s|$)/)?.[0] ?? "";
}

/**
 * True if another try cannot help.
 *
 * @param hasWorked true if the server has answered before; if it refuses writes then, a failover is in progress
 */
export function isHopeless(error: unknown, hasWorked: boolean): boolean {
  if (isEngineError(error)) return true;
  const reply = replyCode(error);
  if (reply === "READONLY") return !hasWorked;
  if (reply !== "") return !passing.has(reply) && !messageOf(error).includes("max number of clients");
  const code = codeOf(error);
  return code === "ENOTFOUND" || isOfTls(code);
}

export function storeClosed(act: string, location: string, cause: unknown): EngineError {
  const message = `Could not ${act} in Redis, ${location}: the store is already closed. Close the store only after everything that uses it has ended.`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/**
 * @param act the failed action, e.g. "read app/dev/checkpoint/1"
 * @param tries text about retries, e.g. " (7 tries in 30 s)"
 * @returns `cause` itself if it is already an EngineError
 */
export function storeFailed(act: string, location: string, cause: unknown, tries = ""): EngineError {
  if (isEngineError(cause)) return cause;
  const message = `Could not ${act} in Redis, ${location}: ${textOf(cause)}${tries}. ${adviceOn(cause)}`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/**
 * Returns the message of an error. A host with several addresses fails with one error for each, and no message of its
 * own.
 */
function textOf(cause: unknown): string {
  const first = cause instanceof AggregateError && cause.message === "" ? cause.errors[0] : cause;
  return messageOf(first).replace(/\.?\s*$/, "");
}

const LACKS_RIGHTS =
  "Grant this user the permission that the message names. The guide's page on Redis lists all permissions that the engine needs.";

const adviceByReply: Readonly<Record<string, string>> = {
  NOAUTH: "Give a password: redis://user:password@host.",
  WRONGPASS: "Check the user and the password.",
  NOPERM: LACKS_RIGHTS,
  READONLY: "This is a replica. Use the primary, because only the primary has the current state.",
  OOM: "Nothing was written. Give the server more memory (maxmemory), or delete data in it.",
  MISCONF: "The server cannot save to its disk. Check its log and its disk.",
  LOADING: "The server is still loading its data. Run again later, or raise retryTimeout.",
  CLUSTERDOWN: "Some nodes of the cluster are missing. Check the cluster with CLUSTER INFO.",
  MOVED:
    'This server is part of a cluster. Add ?cluster=true to the URL of the state, e.g. in ENGINE_STATE; or pass the option "cluster" of redisStore() instead of "url", or a "client" of the cluster.',
  NOREPLICAS:
    "The server requires more replicas than it has (min-replicas-to-write). Start more replicas, or lower the setting.",
  DENIED:
    "The server is in protected mode. Set a password on the server and pass it in the URL, or let the server accept connections without a password (protected-mode no).",
};

function adviceOn(cause: unknown): string {
  const message = messageOf(cause);
  const byReply = adviceByReply[replyCode(cause)];
  if (byReply !== undefined) return byReply;
  if (message.includes("executing the script can't")) return LACKS_RIGHTS;
  if (message.includes("max number of clients")) return "The server has too many clients. Raise maxclients.";
  const code = codeOf(cause);
  if (code === "ENOTFOUND") return "Check the name of the host.";
  if (code.startsWith("ERR_SSL"))
    return "Redis and the engine could not agree on TLS. If the port does not use TLS, write redis:// without { tls }.";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "The certificate of the server is for another host. Correct the host, or pass { tls: { servername } }.";
  if (code === "CERT_HAS_EXPIRED") return "Renew the certificate of the server.";
  if (isOfTls(code)) return "The certificate of the server is not trusted. Pass { tls: { ca } }.";
  return "Check that the server is running and reachable, then run again.";
}
