/** A real Redis server of a test's own. */
import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "./free-port.js";
import { openPremises } from "./premises.js";
import type { Resident } from "./resident.js";
import { isUp } from "./up.js";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** As a crash does: SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again at the same address, with the data that is on the disk. */
  restart(): Promise<void>;
  /** Ends it and removes all its data. */
  stop(): Promise<void>;
}

export interface RedisOptions {
  /** One node that owns every slot. */
  readonly cluster?: boolean;
  /** Further arguments, which win: `["--appendonly", "yes"]`. It keeps no data by default. */
  readonly args?: readonly string[];
}

export async function startRedis({ cluster = false, args = [] }: RedisOptions = {}): Promise<RedisServer> {
  const premises = await openPremises("redis");
  const port = await freePort();
  const clustered = cluster ? ["--cluster-enabled", "yes", "--cluster-port", `${await freePort()}`] : [];
  const unsaved = ["--save", "", "--appendonly", "no"];
  const place = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", premises.folder];

  const start = async (): Promise<Resident> => {
    const server = await premises.start("redis-server", [...place, ...unsaved, ...clustered, ...args]);
    // Any answer except "wait, I am loading" will do: a server that wants a password is up.
    await isUp(server, async () => !(await askRedis(port, "PING")).startsWith("-LOADING"));
    return server;
  };
  const ready = async (): Promise<Resident> => {
    const server = await start();
    if (cluster) await isUp(server, async () => (await askRedis(port, "CLUSTER INFO")).includes("cluster_state:ok"));
    return server;
  };
  const first = async (): Promise<Resident> => {
    if (!cluster) return ready();
    const server = await start();
    await askRedis(port, "CLUSTER ADDSLOTSRANGE 0 16383");
    await isUp(server, async () => (await askRedis(port, "CLUSTER INFO")).includes("cluster_state:ok"));
    return server;
  };

  try {
    let server = await first();
    return {
      url: `redis://127.0.0.1:${port}`,
      port,
      kill: () => server.kill(),
      restart: async () => {
        await server.kill();
        server = await ready();
      },
      stop: () => premises.leave(),
    };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

/**
 * Sends one command and resolves with the beginning of the raw reply.
 *
 * @param at a port, or the path of a socket
 * @param password of the default user, if it has one
 */
export async function askRedis(at: number | string, command: string, password?: string): Promise<string> {
  const socket = typeof at === "string" ? connect(at) : connect(at, "127.0.0.1");
  try {
    if (password !== undefined) {
      socket.write(`AUTH ${password}\r\n`);
      await once(socket, "data");
    }
    socket.write(`${command}\r\n`);
    const [reply] = await once(socket, "data");
    return String(reply);
  } finally {
    socket.destroy();
  }
}
