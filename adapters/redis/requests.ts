import { createHash } from "node:crypto";
import { EngineError } from "../../core/base/index.js";
import { limited, RetriesFailed, type RetryLimits, retry, withTimeout } from "../kit/retry.js";
import { type Command, type Connection, isHopeless, type Link, replyCode, storeClosed, storeFailed } from "./link.js";
import type { RedisArgument } from "./options.js";

export interface RequestLimits {
  readonly location: string;
  readonly retryTimeout: number;
  readonly requestTimeout: number;
  readonly waitReplicas: number;
  /** True if a command can only read keys of one stage, and follows a slot that moves. */
  readonly spansServers: boolean;
}

/** One try of a request. Its result is not needed any more when the signal aborts, if there is one. */
type Try = (connection: Connection, signal: AbortSignal | undefined, milliseconds: number) => Promise<unknown>;

const LONGEST_PAUSE = 1_000;

/**
 * Retries a request until there is an answer, the time is up, or a retry cannot help. A missing answer proves nothing,
 * so each request must be idempotent.
 *
 * A run makes many requests, so each one makes few promises once the connection is open: they take more time than the
 * rest of the request.
 */
export class RedisRequests {
  readonly #link: Link;
  readonly #limits: RequestLimits;
  readonly #retryLimits: RetryLimits;
  #hasWorked = false;

  constructor(link: Link, limits: RequestLimits) {
    this.#link = link;
    this.#limits = limits;
    this.#retryLimits = {
      limit: limits.retryTimeout,
      attemptLimit: limits.requestTimeout,
      longestPause: LONGEST_PAUSE,
      isPassing: (error) => !link.isClosed && !this.#isHopeless(error),
    };
  }

  /** @throws EngineError `STORE_FAILED`, which begins with `act` */
  read(act: string, command: Command): Promise<unknown> {
    return this.#retry(act, ({ route, checked }, signal) => {
      const reply = route.send(command, signal);
      return checked !== undefined ? Promise.all([reply, checked]).then(([answer]) => answer) : reply;
    });
  }

  /** Resolves when the required number of replicas has confirmed the write. @throws EngineError `STORE_FAILED` */
  write(act: string, command: Command): Promise<unknown> {
    return this.#retry(act, async (connection, signal, milliseconds) => {
      await connection.checked;
      return this.#send(act, connection, command, signal, milliseconds);
    });
  }

  /** Runs a script like `write`. The first of the keys selects the server of a cluster. */
  run(act: string, script: Script, keys: readonly string[], args: readonly RedisArgument[]): Promise<unknown> {
    const [key = ""] = keys;
    const command = (...how: string[]): Command => ({ key, args: [...how, String(keys.length), ...keys, ...args] });
    return this.#retry(act, (connection, signal, milliseconds) => {
      const send = (...how: string[]) => this.#send(act, connection, command(...how), signal, milliseconds);
      const sent = connection.checked?.then(() => send("EVALSHA", script.sha)) ?? send("EVALSHA", script.sha);
      return sent.catch((error: unknown) => {
        // A server has no scripts after a restart or a failover.
        if (replyCode(error) !== "NOSCRIPT") throw error;
        return send("EVAL", script.text);
      });
    });
  }

  #send(
    act: string,
    { route }: Connection,
    command: Command,
    signal: AbortSignal | undefined,
    milliseconds: number,
  ): Promise<unknown> {
    const isAlone = this.#limits.waitReplicas === 0;
    return isAlone ? route.send(command, signal) : this.#sendToReplicas(act, route, command, signal, milliseconds);
  }

  async #sendToReplicas(
    act: string,
    route: Connection["route"],
    command: Command,
    signal: AbortSignal | undefined,
    milliseconds: number,
  ): Promise<unknown> {
    const { waitReplicas, location } = this.#limits;
    const limits = Math.ceil(milliseconds / 2);
    const wait = ["WAIT", String(waitReplicas), String(limits)];
    const [reply, replicas] = await route.sendPair(command, wait, signal);
    if (Number(replicas) >= waitReplicas) return reply;
    const found = `${Number(replicas)} of ${waitReplicas} replicas confirmed the change within ${limits} ms`;
    throw new EngineError(
      "STORE_FAILED",
      `Could not ${act} durably in Redis, ${location}: ${found}. The write may get lost. Check that the replicas run, or lower waitReplicas.`,
    );
  }

  async #retry(act: string, once: Try): Promise<unknown> {
    const { retryTimeout, location } = this.#limits;
    const preparing = this.#link.prepare();
    if (preparing !== undefined)
      await preparing.catch((error: unknown) => {
        throw storeFailed(act, location, error);
      });
    try {
      const reply = await retry(this.#retryLimits, (time) => this.#bounded(once, time));
      this.#hasWorked = true;
      return reply;
    } catch (error) {
      if (!(error instanceof RetriesFailed)) throw error;
      const { last, attempts } = error;
      if (this.#link.isClosed) throw storeClosed(act, location, last);
      const tried = ` (${attempts} ${attempts === 1 ? "try" : "tries"} in ${retryTimeout} ms)`;
      throw storeFailed(act, location, last, this.#isHopeless(last) ? "" : tried);
    }
  }

  #isHopeless(error: unknown): boolean {
    // Only the client of a cluster goes to the right server.
    const isElsewhere = !this.#limits.spansServers && replyCode(error) === "MOVED";
    return isElsewhere || isHopeless(error, this.#hasWorked);
  }

  /**
   * Drops the connection of a try that failed without a reason from the server: it may be dead, and the next try opens
   * another.
   */
  #bounded(once: Try, milliseconds: number): Promise<unknown> {
    let used: Connection | undefined;
    const act = (signal?: AbortSignal): Promise<unknown> => {
      const connection = this.#link.connection();
      const send = (opened: Connection): Promise<unknown> => {
        used = opened;
        return once(opened, signal, milliseconds);
      };
      return connection instanceof Promise ? connection.then(send) : send(connection);
    };
    const drop = (error: unknown): void => {
      if (used && !isHopeless(error, true)) this.#link.drop(used);
    };
    // The end of an own connection ends its requests. A connection of the program stays open.
    if (this.#link.isOwn) return limited(milliseconds, () => act(), drop);
    return withTimeout(milliseconds, act).catch((error: unknown) => {
      drop(error);
      throw error;
    });
  }
}

/**
 * A write as a script. Each script changes values and their stage's index in one step, and only once per call, however
 * often the call arrives. It keeps its answer under the call's key for a while. A copy of the call that arrives later,
 * e.g. a retry after a lost reply, gets this answer and changes nothing.
 *
 * Keys: call, index, values. Arguments: time to keep the answer, in ms; "1" if the stage is surely registered; the
 * rest. A script that ends early, e.g. because a permission is missing, may leave an extra key in the index, but never
 * misses one.
 */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

/** Answer of a script that did nothing, because the stage is new and must be registered before its first key. */
export const STAGE_IS_NEW = "stage is new";

// A copy writes something, too, so that a WAIT after it waits for the write of the first one.
const REPEATED = `
local said = redis.call('GET', KEYS[1])
if said then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  return said
end`;

const NEW_STAGE = `ARGV[2] ~= '1' and redis.call('EXISTS', KEYS[2]) == 0`;

/** "1": created; "0": the key exists. */
export const createScript: Script = script(`${REPEATED}
if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
local answer = redis.call('SET', KEYS[3], ARGV[4], 'NX') and '1' or '0'
redis.call('SET', KEYS[1], answer, 'PX', ARGV[1])
return answer`);

export const setScript: Script = script(`${REPEATED}
if ${NEW_STAGE} then return '${STAGE_IS_NEW}' end
redis.call('ZADD', KEYS[2], 0, ARGV[3])
redis.call('SET', KEYS[3], ARGV[4])
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
return '1'`);

/**
 * Returns the number of deleted keys. Uses pcall, because a server without memory must be able to delete, but cannot
 * keep the answer.
 */
export const deleteScript: Script = script(`${REPEATED}
local answer = redis.call('DEL', unpack(KEYS, 3))
redis.call('ZREM', KEYS[2], unpack(ARGV, 3))
redis.pcall('SET', KEYS[1], answer, 'PX', ARGV[1])
return tostring(answer)`);

function script(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}
