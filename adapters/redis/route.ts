import {
  isCluster,
  type RedisArgument,
  type RedisClient,
  type RedisSendOptions,
  type RedisServerClient,
} from "./client.js";
import { replyCode } from "./error.js";
import { slotOf } from "./slot.js";

/** A command, and a key in Redis that says which server of a cluster it is for. */
export interface Command {
  readonly key: string;
  readonly args: readonly RedisArgument[];
}

/** The way to the primary; a replica is never asked, for it may not know the newest yet. */
export interface Route {
  send(command: Command, signal: AbortSignal): Promise<unknown>;
  /** Both through one connection, the second one right behind the first, or neither. */
  sendPair(first: Command, second: readonly RedisArgument[], signal: AbortSignal): Promise<[unknown, unknown]>;
}

export function routeOf(client: RedisClient): Route {
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
