import { setTimeout as sleep } from "node:timers/promises";
import { EngineError } from "../../core/errors.js";
import type { RedisArgument } from "./redis-client.js";
import { isHopeless, replyCode, storeClosed, storeFailed } from "./redis-error.js";
import type { Connection, Link } from "./redis-link.js";
import type { Command } from "./redis-route.js";
import type { Script } from "./redis-scripts.js";

export interface RequestLimits {
  readonly location: string;
  readonly retryTimeout: number;
  readonly requestTimeout: number;
  readonly waitReplicas: number;
}

/** One try at something; what it asks for is not needed any more when the signal is aborted. */
type Try = (connection: Connection, signal: AbortSignal, milliseconds: number) => Promise<unknown>;

const LONGEST_PAUSE = 1_000;

class Late extends Error {}

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
    return this.#persist(act, async ({ route, checked }, signal) => {
      const [reply] = await Promise.all([route.send(command, signal), checked]);
      return reply;
    });
  }

  /** Resolves when as many replicas as are wanted have it, too. @throws EngineError `STORE_FAILED` */
  write(act: string, command: Command): Promise<unknown> {
    return this.#persist(act, async (connection, signal, milliseconds) => {
      await connection.checked;
      return this.#send(act, connection, command, signal, milliseconds);
    });
  }

  /** Like `write`. The first of the keys says which server of a cluster is meant. */
  run(act: string, script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown> {
    const [key = ""] = keys;
    const command = (...how: string[]): Command => ({ key, args: [...how, String(keys.length), ...keys, ...args] });
    return this.#persist(act, async (connection, signal, milliseconds) => {
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
    const patience = Math.ceil(milliseconds / 2);
    const wait = ["WAIT", String(waitReplicas), String(patience)];
    const [reply, replicas] = await route.sendPair(command, wait, signal);
    if (Number(replicas) >= waitReplicas) return reply;
    const found = `${Number(replicas)} of ${waitReplicas} replicas confirmed it within ${patience} ms`;
    throw new EngineError(
      "STORE_FAILED",
      `Could not ${act} in Redis, ${location}, for good: ${found}. Whether it lasts is not known. See that the replicas run, or lower waitReplicas.`,
    );
  }

  async #persist(act: string, once: Try): Promise<unknown> {
    const { retryTimeout, requestTimeout, location } = this.#limits;
    await this.#link.prepare().catch((error: unknown) => {
      throw storeFailed(act, location, error);
    });
    const end = performance.now() + retryTimeout;
    let told: unknown;
    for (let tries = 1; ; tries++) {
      const left = Math.max(1, Math.ceil(end - performance.now()));
      try {
        const reply = await this.#bounded(once, Math.min(requestTimeout, left));
        this.#hasWorked = true;
        return reply;
      } catch (error) {
        if (this.#link.isClosed) throw storeClosed(act, location, error);
        if (isHopeless(error, this.#hasWorked)) throw storeFailed(act, location, error);
        // A try that the end of the time cut short has learned nothing: what an earlier one was told stays the reason.
        const isCutShort = error instanceof Late && left < requestTimeout;
        told = isCutShort ? (told ?? error) : error;
        const pause = Math.min(2 ** tries * 25, LONGEST_PAUSE) * (0.5 + Math.random() / 2);
        if (performance.now() + pause >= end) {
          throw storeFailed(act, location, told, ` (${tries} ${tries === 1 ? "try" : "tries"} in ${retryTimeout} ms)`);
        }
        await sleep(pause);
      }
    }
  }

  /** The connection of a try that failed for no reason that the server gave may be dead: the next try makes another. */
  async #bounded(once: Try, milliseconds: number): Promise<unknown> {
    const controller = new AbortController();
    let connection: Connection | undefined;
    const work = async (): Promise<unknown> => {
      connection = await this.#link.connection();
      return once(connection, controller.signal, milliseconds);
    };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Late(`no answer within ${milliseconds} ms`)), milliseconds);
    });
    try {
      return await Promise.race([work(), late]);
    } catch (error) {
      controller.abort();
      if (connection && !isHopeless(error, true)) this.#link.drop(connection);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
