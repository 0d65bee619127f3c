import { codeOf, EngineError, isEngineError, messageOf } from "../../core/base/index.js";
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
  /** Rejects where the server is not fit for the state. It is asked behind the first command, not before it. */
  readonly checked: Promise<void>;
}

export interface LinkOptions {
  /** Comes before each request; what it takes is not the server's doing. */
  prepare(): Promise<unknown>;
  /** Gives up when the signal is aborted. */
  connect(signal: AbortSignal): Promise<OpenedClient>;
  /** Throws where the server is not fit. */
  check(account: ServerAccount): void;
  /** A key that names the server to ask, where there are several. */
  readonly anyKey: string;
}

/** One connection, made when it is first needed and made anew after it was dropped. */
export class Link {
  readonly #options: LinkOptions;
  #current: Promise<Connection> | undefined;
  /** What ends a connection, until it has been ended. */
  readonly #ends = new Map<Connection, () => void>();
  readonly #closing = new AbortController();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  prepare(): Promise<unknown> {
    return this.#options.prepare();
  }

  connection(): Promise<Connection> {
    if (this.isClosed) return Promise.reject(new Error("the store was closed"));
    this.#current ??= this.#open();
    return this.#current;
  }

  /** What is under way through it is rejected. */
  drop(connection: Connection): void {
    const end = this.#ends.get(connection);
    if (!end) return;
    this.#ends.delete(connection);
    this.#current = undefined;
    end();
  }

  close(): void {
    this.#closing.abort();
    for (const connection of this.#ends.keys()) this.drop(connection);
  }

  async #open(): Promise<Connection> {
    try {
      const opened = await this.#options.connect(this.#closing.signal);
      if (this.isClosed) {
        opened.destroy();
        throw new Error("the store was closed");
      }
      const route = routeOf(opened.client);
      const asking = new AbortController();
      const checked = this.#check(route, asking.signal);
      // Each request that needs it takes it as its own failure.
      checked.catch(() => {});
      const connection = { route, checked };
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

/** A server that does not tell is none to complain of; a connection that was lost is. */
function unlessForbidden(error: unknown): undefined {
  if (replyCode(error) === "") throw error;
}

const SLOTS = 16_384;

/** CRC-16/XMODEM, as the cluster specification of Redis has it. */
const POLYNOMIAL = 0x1021;

/** The slot of a cluster that holds `key`: that of its hash tag, where it has one. */
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

/** A command, and a key in Redis that says which server of a cluster it is for. */
export interface Command {
  readonly key: string;
  readonly args: readonly RedisArgument[];
}

/** The way to the primary; a replica is never asked, for it may not know the newest yet. */
interface Route {
  send(command: Command, signal: AbortSignal): Promise<unknown>;
  /** Both through one connection, the second one right behind the first, or neither. */
  sendPair(first: Command, second: readonly RedisArgument[], signal: AbortSignal): Promise<[unknown, unknown]>;
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
        // The cluster's client follows a moved slot; having followed, it knows the way for the next try.
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
  signal: AbortSignal,
): Promise<[unknown, unknown]> {
  const chained = { ...options(signal), chainId: Symbol("pair") };
  return Promise.all([client.sendCommand(first.args, chained), client.sendCommand(second, chained)]);
}

function options(abortSignal: AbortSignal): RedisSendOptions {
  return { abortSignal, typeMapping: {} };
}

/** Replies that say "not now". */
const passing = new Set(["ASK", "BUSY", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "MOVED", "NOREPLICAS", "TRYAGAIN"]);

/** The first word of what a server replied, e.g. "NOAUTH"; empty for errors that it did not reply. */
export function replyCode(error: unknown): string {
  if (!(error instanceof Error) || "code" in error) return "";
  return error.message.match(/^[A-Z]{2,}(?=\s|$)/)?.[0] ?? "";
}

/**
 * True where another try cannot help.
 *
 * @param hasWorked whether the server has ever answered; then one that takes no writes is in the midst of a failover
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
  const message = `Could not ${act} in Redis, ${location}: the store was closed. Close it when nothing uses it any more.`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/**
 * @param act what was tried, e.g. "read app/dev/checkpoint/1"
 * @param tries what to say of repeated tries, e.g. " (7 tries in 30 s)"
 * @returns `cause` itself where it says all of that already
 */
export function storeFailed(act: string, location: string, cause: unknown, tries = ""): EngineError {
  if (isEngineError(cause)) return cause;
  const message = `Could not ${act} in Redis, ${location}: ${textOf(cause)}${tries}. ${adviceOn(cause)}`;
  return new EngineError("STORE_FAILED", message, { cause });
}

/** A host with several addresses fails with one error for each of them, and no words of its own. */
function textOf(cause: unknown): string {
  const first = cause instanceof AggregateError && cause.message === "" ? cause.errors[0] : cause;
  return messageOf(first).replace(/\.?\s*$/, "");
}

const LACKS_RIGHTS = "Grant this user what the message names; the guide's page on Redis lists what is needed.";

const adviceByReply: Readonly<Record<string, string>> = {
  NOAUTH: "Give a password: redis://user:password@host.",
  WRONGPASS: "Check the user and the password.",
  NOPERM: LACKS_RIGHTS,
  READONLY: "This is a replica: name the primary, which alone has the present state.",
  OOM: "Give the server more memory (maxmemory), or make room in it; nothing was written.",
  MISCONF: "The server cannot save to its disk: look at its log and its disk.",
  LOADING: "The server is still reading its data: run again later, or raise retryTimeout.",
  CLUSTERDOWN: "The cluster lacks nodes: look at it with CLUSTER INFO.",
  MOVED: "This server is part of a cluster: name it with the option cluster instead of url.",
  NOREPLICAS: "The server wants more replicas than are there (min-replicas-to-write).",
  DENIED: "The server is in protected mode: set a password, or let it listen here.",
};

function adviceOn(cause: unknown): string {
  const message = messageOf(cause);
  const byReply = adviceByReply[replyCode(cause)];
  if (byReply !== undefined) return byReply;
  if (message.includes("executing the script can't")) return LACKS_RIGHTS;
  if (message.includes("max number of clients")) return "The server has too many clients: raise maxclients.";
  const code = codeOf(cause);
  if (code === "ENOTFOUND") return "Check the name of the host.";
  if (code.startsWith("ERR_SSL")) return "Check that the port speaks TLS (rediss://) if and only if you do.";
  if (isOfTls(code))
    return "The server's certificate is not trusted: pass { tls: { ca } }, and servername if it has another name.";
  return "Check that the server runs and can be reached, then run again.";
}

function isOfTls(code: string): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/.test(code);
}
