/** A real Redis Cluster of three nodes. */
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

const SLOTS = ["0 5460", "5461 10922", "10923 16383"] as const;

interface Node {
  readonly port: number;
  readonly busPort: number;
  readonly folder: string;
}

export async function startRedisCluster(): Promise<RedisCluster> {
  const premises = await openPremises("redis-cluster");
  const start = ({ port, busPort, folder }: Node): Promise<Resident> =>
    premises.start("redis-server", [
      ...["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"],
      ...["--cluster-enabled", "yes", "--cluster-port", `${busPort}`, "--cluster-node-timeout", "5000"],
    ]);
  const areUp = async (nodes: readonly Node[], residents: readonly Resident[]): Promise<void> => {
    for (const [index, { port }] of nodes.entries()) {
      const resident = residents[index];
      if (!resident) continue;
      await isUp(resident, async () => {
        const info = await askRedis(port, "CLUSTER INFO");
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
    for (const [index, { port }] of nodes.entries()) {
      const resident = residents[index];
      if (resident) await isUp(resident, async () => (await askRedis(port, "PING")).startsWith("+PONG"));
      await askRedis(port, `CLUSTER ADDSLOTSRANGE ${SLOTS[index]}`);
      const first = nodes[0];
      if (first && index > 0) await askRedis(port, `CLUSTER MEET 127.0.0.1 ${first.port} ${first.busPort}`);
    }
    await areUp(nodes, residents);
    return {
      urls: nodes.map(({ port }) => `redis://127.0.0.1:${port}`),
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
