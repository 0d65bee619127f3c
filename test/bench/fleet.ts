/**
 * Measures fleets: real ones with workers on a queue, and the conductor alone with simulated stages. Needs a build.
 * Starts its own servers.
 *
 *   npm run bench:fleet -- [--stages 10000] [--on redis|postgres] [--workers 2]
 *   npm run bench:fleet -- --simulate 1000000 [--workers 100] [--takes 5000]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createClient } from "@keyv/redis";
import pg from "pg";
import { prepareQueue } from "../../plugins/fleet/queue/prepare.js";
import { startPostgres } from "../servers/postgres.js";
import { startRedis } from "../servers/redis.js";
import { simulated } from "./fleet-simulated.js";

const { values } = parseArgs({
  options: {
    stages: { type: "string", default: "10000" },
    on: { type: "string", default: "redis" },
    workers: { type: "string" },
    simulate: { type: "string" },
    takes: { type: "string", default: "5000" },
  },
});

/** What processes write when they lose the server, such as recovery files, goes here. */
const folder = mkdtempSync(join(tmpdir(), "bench-fleet-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const RUNS = [
  ["create", "up", "small"],
  ["unchanged", "up", "small"],
  ["update", "up", "large"],
  ["destroy", "destroy", "large"],
] as const;

if (values.simulate === undefined) await real();
else {
  const given = {
    stages: Number(values.simulate),
    workers: Number(values.workers ?? 100),
    takes: Number(values.takes),
  };
  print(await simulated(given));
}

/** What the server has done and keeps. */
interface Server {
  readonly url: string;
  /** Number of commands, or statements, so far. */
  commands(): Promise<number>;
  /** Milliseconds of CPU time so far, if the server reports it. */
  cpu?(): Promise<number>;
  /** Number of durable keys, or rows. */
  keys(): Promise<number>;
  stop(): Promise<void>;
}

async function real(): Promise<void> {
  const server = await (values.on === "postgres" ? postgres() : redis());
  const stages = Number(values.stages);
  const workers = await Promise.all(
    Array.from({ length: Number(values.workers ?? 2) }, async () => {
      const worker = child("worker", server.url);
      await line(worker);
      return worker;
    }),
  );
  try {
    for (const [name, role, plan] of RUNS) {
      const before = await server.commands();
      const [workersBefore, serverBefore] = [await cpuOf(workers), (await server.cpu?.()) ?? 0];
      const conductor = child(role, server.url, values.stages, plan);
      const report = JSON.parse(await line(conductor));
      const workersCpu = (await cpuOf(workers)) - workersBefore;
      const serverCpu = Math.round(((await server.cpu?.()) ?? Number.NaN) - serverBefore);
      const commands = (await server.commands()) - before;
      const keys = await server.keys();
      const each = { commandsPerStage: commands / stages, keysPerStage: keys / stages };
      print({ run: name, ...report, workersCpu, serverCpu, ...each });
    }
    for (const worker of workers) {
      const last = line(worker);
      worker.kill("SIGTERM");
      print({ run: "worker", ...JSON.parse(await last) });
    }
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await server.stop();
  }
}

/** Returns the milliseconds of CPU time that the workers have used together. */
async function cpuOf(workers: readonly ChildProcess[]): Promise<number> {
  const used = workers.map(async (worker) => {
    const answer = line(worker);
    worker.stdin?.write("\n");
    return Number(JSON.parse(await answer).cpu);
  });
  return (await Promise.all(used)).reduce((sum, one) => sum + one, 0);
}

function child(role: string, url: string, stages = "0", plan = "small"): ChildProcess {
  const program = fileURLToPath(new URL("fleet.mjs", import.meta.url));
  const args = [program, role, url, stages, plan];
  return spawn(process.execPath, args, { cwd: folder, stdio: ["pipe", "pipe", "inherit"] });
}

async function line({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("The process has no output.");
  const lines = createInterface({ input: stdout });
  const [text] = await Promise.race([once(lines, "line"), once(lines, "close").then(() => ["{}"])]);
  lines.close();
  return String(text);
}

async function redis(): Promise<Server> {
  const server = await startRedis({ args: ["--appendonly", "yes"] });
  const client = createClient({ url: server.url });
  await client.connect();
  const info = async (section: string): Promise<string> => String(await client.sendCommand(["INFO", section]));
  return {
    url: server.url,
    commands: async () => Number(/total_commands_processed:(\d+)/.exec(await info("stats"))?.[1]),
    async cpu() {
      const [user, system] = [...(await info("cpu")).matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(
        ([, used]) => used,
      );
      return (Number(user) + Number(system)) * 1_000;
    },
    async keys() {
      const [, all, expiring] = /keys=(\d+),expires=(\d+)/.exec(await info("keyspace")) ?? [];
      return Number(all) - Number(expiring);
    },
    async stop() {
      client.destroy();
      await server.stop();
    },
  };
}

async function postgres(): Promise<Server> {
  const server = await startPostgres({ settings: ["shared_preload_libraries=pg_stat_statements"] });
  await prepareQueue(server.url);
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const count = async (sql: string): Promise<number> => Number((await client.query(sql)).rows[0]?.count);
  return {
    url: server.url,
    commands: () => count("SELECT sum(calls) AS count FROM pg_stat_statements"),
    keys: () => count("SELECT sum(n_live_tup) AS count FROM pg_stat_user_tables"),
    async stop() {
      await client.end();
      await server.stop();
    },
  };
}

function print(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
