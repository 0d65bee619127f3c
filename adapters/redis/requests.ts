import { EngineError } from "../../core/base/index.js";
import { RetriesFailed, retry, withTimeout } from "../kit/retry.js";
import type { RedisArgument } from "./client.js";
import { isHopeless, replyCode, storeClosed, storeFailed } from "./error.js";
import type { Connection, Link } from "./link.js";
import type { Command } from "./route.js";
import type { Script } from "./scripts.js";

export interface RequestLimits {
  readonly location: string;
  readonly retryTimeout: number;
  readonly requestTimeout: number;
  readonly waitReplicas: number;
}

/** One try at something; what it asks for is not needed any more when the signal is aborted. */
type Try = (connection: Connection, signal: AbortSignal, milliseconds: number) => Promise<unknown>;

const LONGEST_PAUSE = 1_000;

/**
 * Asks until there is an answer, the time is up, or asking again is of no use. An answer that does not come proves
 * nothing, so what is asked must be such that it may be done twice.
 */
export class RedisRequests {
  readonly #link: Link;
  readonly #limits: RequestLimits;
  #hasWorked = false;

  constructor(link: Link, limits: RequestLimits) {
    this.#link = link;
    this.#limits = limits;
  }

  /** @throws EngineError `STORE_FAILED`, which begins with `act` */
  read(act: string, command: Command): Promise<unknown> {
    return this.#retry(act, async ({ route, checked }, signal) => {
      const [reply] = await Promise.all([route.send(command, signal), checked]);
      return reply;
    });
  }

  /** Resolves when as many replicas as are wanted have it, too. @throws EngineError `STORE_FAILED` */
  write(act: string, command: Command): Promise<unknown> {
    return this.#retry(act, async (connection, signal, milliseconds) => {
      await connection.checked;
      return this.#send(act, connection, command, signal, milliseconds);
    });
  }

  /** Like `write`. The first of the keys says which server of a cluster is meant. */
  run(act: string, script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown> {
    const [key = ""] = keys;
    const command = (...how: string[]): Command => ({ key, args: [...how, String(keys.length), ...keys, ...args] });
    return this.#retry(act, async (connection, signal, milliseconds) => {
      await connection.checked;
      try {
        return await this.#send(act, connection, command("EVALSHA", script.sha), signal, milliseconds);
      } catch (error) {
        // A server forgets scripts when it restarts, or another one takes its place.
        if (replyCode(error) !== "NOSCRIPT") throw error;
        return this.#send(act, connection, command("EVAL", script.text), signal, milliseconds);
      }
    });
  }

  async #send(
    act: string,
    { route }: Connection,
    command: Command,
    signal: AbortSignal,
    milliseconds: number,
  ): Promise<unknown> {
    const { waitReplicas, location } = this.#limits;
    if (waitReplicas === 0) return route.send(command, signal);
    const limits = Math.ceil(milliseconds / 2);
    const wait = ["WAIT", String(waitReplicas), String(limits)];
    const [reply, replicas] = await route.sendPair(command, wait, signal);
    if (Number(replicas) >= waitReplicas) return reply;
    const found = `${Number(replicas)} of ${waitReplicas} replicas confirmed it within ${limits} ms`;
    throw new EngineError(
      "STORE_FAILED",
      `Could not ${act} in Redis, ${location}, for good: ${found}. Whether it lasts is not known. See that the replicas run, or lower waitReplicas.`,
    );
  }

  async #retry(act: string, once: Try): Promise<unknown> {
    const { retryTimeout, requestTimeout, location } = this.#limits;
    await this.#link.prepare().catch((error: unknown) => {
      throw storeFailed(act, location, error);
    });
    const isPassing = (error: unknown): boolean => !this.#link.isClosed && !isHopeless(error, this.#hasWorked);
    const limits = { limit: retryTimeout, attemptLimit: requestTimeout, longestPause: LONGEST_PAUSE };
    try {
      const reply = await retry({ ...limits, isPassing }, (time) => this.#bounded(once, time));
      this.#hasWorked = true;
      return reply;
    } catch (error) {
      if (!(error instanceof RetriesFailed)) throw error;
      const { last, attempts } = error;
      if (this.#link.isClosed) throw storeClosed(act, location, last);
      const tried = ` (${attempts} ${attempts === 1 ? "try" : "tries"} in ${retryTimeout} ms)`;
      throw storeFailed(act, location, last, isHopeless(last, this.#hasWorked) ? "" : tried);
    }
  }

  /** The connection of a try that failed for no reason that the server gave may be dead: the next try makes another. */
  async #bounded(once: Try, milliseconds: number): Promise<unknown> {
    let connection: Connection | undefined;
    try {
      return await withTimeout(milliseconds, async (signal) => {
        connection = await this.#link.connection();
        return once(connection, signal, milliseconds);
      });
    } catch (error) {
      if (connection && !isHopeless(error, true)) this.#link.drop(connection);
      throw error;
    }
  }
}
