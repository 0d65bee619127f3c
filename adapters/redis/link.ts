import type { ServerAccount } from "./checks.js";
import type { OpenedClient } from "./connect.js";
import { replyCode } from "./error.js";
import { type Route, routeOf } from "./route.js";

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
