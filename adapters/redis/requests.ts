import { createHash } from "node:crypto";
import { EngineError } from "../../core/base/index.js";
import { RetriesFailed, retry, withTimeout } from "../kit/retry.js";
import { type Command, type Connection, isHopeless, type Link, replyCode, storeClosed, storeFailed } from "./link.js";
import type { RedisArgument } from "./options.js";

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

/**
 * The writes, as scripts: each changes values and their stage's index in one step, and does so once for each call,
 * however often the call arrives. It remembers its answer under the call's own key for a while; a copy of the call that
 * arrives later, be it a retry after a lost reply or one that was held up on its way, gets that answer and changes nothing.
 *
 * Keys: call, index, values. Arguments: how long to remember, in ms; "1" if the stage is registered for sure; the rest.
 * A script that ends early, say for want of a right, may leave a key too many in the index and never one too few.
 */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Answer of a script that has done nothing, for the stage is new and must be registered before its first key. */
export const STAGE_IS_NEW = "stage is new";

// That a copy writes something, too, makes a WAIT behind it wait for what the first one wrote.
const REPEATED = `
local said = redis.call('GET', KEYS[1])
if said then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return said
end`;

const NEW_STAGE = `ARGV[2] ~= '1' and redis.call('EXISTS', KEYS[2]) == 0`;

/** "1": created; "0": the key exists. */
export const createScript: Script = script(`${REPEATED}
local answer = '0'
if redis.call('EXISTS', KEYS[3]) == 0 then
  if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
  redis.call('ZADD', KEYS[2], 0, ARGV[3])
  redis.call('SET', KEYS[3], ARGV[4])
  answer = '1'
end
redis.call('SET', KEYS[1], answer, 'PX', ARGV[1])
return answer`);

export const setScript: Script = script(`${REPEATED}
if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return '1'`);

/** How many were there. A server that is out of memory cannot remember the answer and must be able to delete. */
export const deleteScript: Script = script(`${REPEATED}
local answer = 0
for n = 3, #KEYS do
  answer = answer + redis.call('DEL', KEYS[n])
  redis.call('ZREM', KEYS[2], ARGV[n])
end
redis.pcall('SET', KEYS[1], answer, 'PX', ARGV[1])
return tostring(answer)`);

function script(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}
