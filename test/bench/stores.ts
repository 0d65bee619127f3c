/** Stores for the state of a row: real servers, behind a proxy that adds latency. */
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import { lacking } from "../servers/install.js";
import { postgresNeeds, redisNeeds, rgwNeeds } from "../servers/needs.js";
import { startPostgres } from "../servers/postgres.js";
import { startRedis } from "../servers/redis.js";
import { startRgw } from "../servers/rgw.js";
import { s3ClientOf } from "../servers/s3-client.js";
import type { StageWork, StoreName } from "./rows.js";

const BUCKET = "bench";

/** Arguments and environment with which a program finds a state of its own. */
export interface Whereabouts {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The machine has no server for a store. */
export class NoServer extends Error {}

type Remote = Exclude<StoreName, "fs" | "memory">;

interface Server {
  readonly proxy: FaultyProxy;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  stop(): Promise<void>;
}

/** Servers are started when the first row needs them, and end with `close`. */
export class Stores {
  readonly #servers = new Map<Remote, Promise<Server>>();
  #count = 0;

  /** A state that no other run uses, without latency. @throws NoServer */
  async whereabouts({ store }: Pick<StageWork, "store">): Promise<Whereabouts> {
    const args = ["--store", store];
    if (store === "fs" || store === "memory") return { args, env: {} };
    const server = await this.#server(store);
    server.proxy.latency = 0;
    const prefix = `bench-${++this.#count}`;
    return { args: [...args, ...server.args, "--url", server.proxy.url, "--prefix", prefix], env: server.env };
  }

  /** Adds the latency of the work to the store; the preparation before the measurement does without it. */
  async moveAway({ store, delay }: Pick<StageWork, "store" | "delay">): Promise<void> {
    if (store !== "fs" && store !== "memory") (await this.#server(store)).proxy.latency = delay;
  }

  async close(): Promise<void> {
    for (const opening of this.#servers.values()) {
      const server = await opening.catch(() => undefined);
      await server?.proxy.close();
      await server?.stop();
    }
  }

  #server(store: Remote): Promise<Server> {
    const opening = this.#servers.get(store) ?? OPEN[store]();
    this.#servers.set(store, opening);
    return opening;
  }
}

const OPEN: Readonly<Record<Remote, () => Promise<Server>>> = {
  postgres: openPostgres,
  redis: openRedis,
  s3: openS3,
};

/** Like Redis, confirms writes when they are on the disk, as the guide asks for. */
async function openPostgres(): Promise<Server> {
  await need(postgresNeeds);
  const { openUrl, stop } = await startPostgres({ settings: ["fsync=on"] });
  return { proxy: await startProxy({ target: openUrl, protocol: "postgres" }), env: {}, args: [], stop };
}

async function openRedis(): Promise<Server> {
  await need(redisNeeds);
  const { url, stop } = await startRedis({ args: ["--appendonly", "yes", "--appendfsync", "always"] });
  return { proxy: await startProxy({ target: url, protocol: "redis" }), env: {}, args: [], stop };
}

async function openS3(): Promise<Server> {
  await need(rgwNeeds);
  const server = await startRgw();
  const client = s3ClientOf(server);
  await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
  client.destroy();
  const env = { S3_ACCESS_KEY: server.accessKeyId, S3_SECRET_KEY: server.secretAccessKey };
  const proxy = await startProxy({ target: server.endpoint, protocol: "http" });
  return { proxy, env, args: ["--bucket", BUCKET], stop: server.stop };
}

async function need(needs: typeof redisNeeds): Promise<void> {
  const lacks = await lacking(needs, process.env);
  if (lacks !== undefined) throw new NoServer(lacks);
}
