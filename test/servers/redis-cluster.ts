/** A real Redis Cluster of three nodes, also with TLS and a user. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./free-port.js";
import { openPremises } from "./premises.js";
import { askRedis } from "./redis.js";
import type { Resident } from "./resident.js";
import { isUp } from "./up.js";

export interface RedisCluster {
  /** URL of each node. */
  readonly urls: readonly string[];
  /** Kills all nodes, and starts them again with the data on their disks. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Certificate and user of a cluster whose nodes speak TLS only, and let no client in without a password. */
export interface ClusterGuard {
  /** Files. */
  readonly cert: string;
  readonly key: string;
  readonly user: string;
  readonly password: string;
  /** Name by which nodes announce themselves. Default: their address, as Redis does. */
  readonly name?: string;
}

const SLOTS = ["0 5460", "5461 10922", "10923 16383"] as const;

interface Node {
  readonly port: number;
  readonly busPort: number;
  readonly folder: string;
}

export async function startRedisCluster(guard?: ClusterGuard): Promise<RedisCluster> {
  const premises = await openPremises("redis-cluster");
  const start = ({ port, busPort, folder }: Node): Promise<Resident> =>
    premises.start("redis-server", [
      ...[guard ? "--tls-port" : "--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder],
      // With "everysec" a killed server may lose writes that it has confirmed.
      ...["--save", "", "--appendonly", "yes", "--appendfsync", "always"],
      ...["--cluster-enabled", "yes", "--cluster-port", `${busPort}`, "--cluster-node-timeout", "5000"],
      ...(guard ? guarded(guard, socketOf(folder)) : []),
    ]);
  const ask = ({ port, folder }: Node, command: string): Promise<string> =>
    guard ? askRedis(socketOf(folder), command, SETUP) : askRedis(port, command);
  const areUp = async (nodes: readonly Node[], residents: readonly Resident[]): Promise<void> => {
    for (const [index, node] of nodes.entries()) {
      const resident = residents[index];
      if (!resident) continue;
      await isUp(resident, async () => {
        const info = await ask(node, "CLUSTER INFO");
        return info.includes("cluster_state:ok") && info.includes("cluster_known_nodes:3");
      });
    }
  };
  try {
    const nodes: Node[] = [];
    for (const index of SLOTS.keys()) {
      const folder = join(premises.folder, `node-${index}`);
      await mkdir(folder);
      nodes.push({ port: await freePort(), busPort: await freePort(), folder });
    }
    let residents = await Promise.all(nodes.map(start));
    for (const [index, node] of nodes.entries()) {
      const resident = residents[index];
      if (resident) await isUp(resident, async () => (await ask(node, "PING")).startsWith("+PONG"));
      await ask(node, `CLUSTER ADDSLOTSRANGE ${SLOTS[index]}`);
      const first = nodes[0];
      if (first && index > 0) await ask(node, `CLUSTER MEET 127.0.0.1 ${first.port} ${first.busPort}`);
    }
    await areUp(nodes, residents);
    return {
      urls: nodes.map(({ port }) => (guard ? guardedUrl(guard, port) : `redis://127.0.0.1:${port}`)),
      async restart() {
        for (const resident of residents) await resident.kill();
        residents = await Promise.all(nodes.map(start));
        await areUp(nodes, residents);
      },
      stop: () => premises.leave(),
    };
  } catch (error) {
    await premises.leave();
    throw error;
  }
}

/** Password of the default user, with whose rights a server also loads its append-only file. */
const SETUP = "setup";

/** The nodes are set up through sockets, without TLS. */
function socketOf(folder: string): string {
  return join(folder, "socket");
}

function guarded({ cert, key, user, password, name }: ClusterGuard, socket: string): readonly string[] {
  return [
    ...["--port", "0", "--unixsocket", socket, "--tls-cluster", "yes", "--tls-auth-clients", "no"],
    ...["--tls-cert-file", cert, "--tls-key-file", key, "--tls-ca-cert-file", cert],
    ...["--user", "default", "on", `>${SETUP}`, "~*", "&*", "+@all"],
    ...["--user", user, "on", `>${password}`, "~*", "&*", "+@all"],
    ...(name === undefined
      ? []
      : ["--cluster-announce-hostname", name, "--cluster-preferred-endpoint-type", "hostname"]),
  ];
}

function guardedUrl({ user, password }: ClusterGuard, port: number): string {
  return `rediss://${user}:${encodeURIComponent(password)}@localhost:${port}`;
}
