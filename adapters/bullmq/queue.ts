/** Queues for fleets: BullMQ on Redis or PostgreSQL, chosen by a URL. */
import type { KeepJobs, Queue, Relay, Worker, WorkerOptions } from "bullmq";
import type { Cluster, Redis } from "ioredis";
import {
  codeOf,
  EngineError,
  ignore,
  isMissing,
  messageOf,
  packageMissing,
  withDeadline,
} from "../../core/base/index.js";
import { nodeIdentity } from "../kit/node-identity.js";
import { isOfTls } from "../kit/retry.js";

/** The text of a job: a JSON string, since PostgreSQL would change the order of the members of an object. */
export type JobText = string;

export type StageQueue = Queue<JobText, unknown, string>;
export type StageWorker = Worker<JobText, unknown, string>;
export type Process = ConstructorParameters<typeof Worker<JobText, unknown, string>>[1];

/** A connection to the server of a queue. */
export interface QueueServer {
  queue(name: string): StageQueue;
  worker(name: string, process: Process, options: Partial<WorkerOptions>): StageWorker;
  /**
   * Returns the number of jobs that wait. Absent for a client that notices each lost connection.
   *
   * @throws Error
   */
  waiting?(name: string): Promise<number>;
  /** Carries cancellations to the workers, under the topic {@link CANCEL}. */
  relay(name: string): Relay<never>;
  /** False while the connection is lost. */
  readonly isUp: boolean;
  /** The finished jobs that the queue keeps: more than a conductor has not recorded yet. */
  readonly kept: KeepJobs;
  /** Returns the error that a job throws once it is handed back with `moveToWait`. */
  handedBack(): Error;
  /** Makes or updates the tables of PostgreSQL. Resolves with false if there is nothing to do, and for Redis. */
  prepare(name: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Topic of the cancellations: `{ run }`. */
export const CANCEL = "cancel";

const FORMS = "redis://HOST:PORT, rediss://HOST:PORT or postgres://HOST/DATABASE";

/** Settings of a connection. */
export interface QueueSettings {
  /**
   * Sends commands of one turn to Redis together. If the connection is lost, they fail instead of being sent again, so
   * this is for a client that asks again anyway. Default: false.
   */
  readonly together?: boolean;
}

/** @throws EngineError `INVALID_OPTION`, `PACKAGE_MISSING`, `QUEUE_FAILED` */
export async function connect(text: string, settings: QueueSettings = {}): Promise<QueueServer> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  switch (url?.protocol) {
    case "redis:":
    case "rediss:":
      return onRedis(url, settings);
    case "postgres:":
    case "postgresql:":
      return onPostgres(url);
    default:
      throw new EngineError("INVALID_OPTION", `The URL of the queue is not valid. It must be ${FORMS}.`);
  }
}

async function load<T>(name: string, loading: Promise<T>): Promise<T> {
  try {
    return await loading;
  } catch (error) {
    throw isMissing(error, name) ? packageMissing(name, error) : error;
  }
}

/** All keys of the fleets are in one slot of a cluster, because BullMQ's scripts use several keys at once. */
const PREFIX = "{scope-engine}";

async function onRedis(url: URL, settings: QueueSettings): Promise<QueueServer> {
  const [bullmq, ioredis] = await Promise.all([load("bullmq", import("bullmq")), load("ioredis", import("ioredis"))]);
  const connection = await openRedis(url, ioredis, settings);
  const options = { connection, prefix: PREFIX };
  let asked: Queue | undefined;
  return {
    queue: (name) => new bullmq.Queue(name, options),
    worker: (name, process, more) => new bullmq.Worker(name, process, { ...options, ...more }),
    waiting(name) {
      asked ??= new bullmq.Queue(name, options).on("error", ignore);
      return asked.getWaitingCount();
    },
    relay: (namespace) => new bullmq.Relay({ ...options, namespace }) as unknown as Relay<never>,
    get isUp() {
      return connection.status === "ready";
    },
    kept: { count: 10_000 },
    handedBack: () => new bullmq.WaitingError(),
    prepare: async () => false,
    close: async () => connection.disconnect(),
  };
}

/** Opens a connection to the server, or to the whole cluster that it belongs to. */
async function openRedis(
  url: URL,
  ioredis: Pick<typeof import("ioredis"), "Redis" | "Cluster">,
  { together: enableAutoPipelining = false }: QueueSettings,
): Promise<Redis | Cluster> {
  const server = new ioredis.Redis(url.href, { ...ALWAYS_RETRY, lazyConnect: true, enableAutoPipelining });
  const info = await connected(server, url, async () => {
    const text = await server.info();
    checkEviction(text);
    return text;
  });
  if (!/^cluster_enabled:1/m.test(info)) return server;
  server.disconnect();
  const { host = "localhost", port, username, password } = server.options;
  const tls = url.protocol === "rediss:" ? { checkServerIdentity: nodeIdentity(host) } : undefined;
  const redisOptions = { ...ALWAYS_RETRY, username, password, tls };
  const cluster = new ioredis.Cluster([{ host, port }], {
    lazyConnect: true,
    redisOptions,
    // Nodes name themselves; a certificate is for a name, not for an address.
    ...(tls && { dnsLookup: (name, found) => found(null, name) }),
  });
  await connected(cluster, url, async () => {
    for (const node of cluster.nodes("master")) checkEviction(await node.info("memory"));
  });
  return cluster;
}

/** BullMQ requires it for connections that wait for jobs. */
const ALWAYS_RETRY = { maxRetriesPerRequest: null } as const;

/** Connects, and asks a question. @throws EngineError `QUEUE_FAILED` */
async function connected<T>(connection: Redis | Cluster, { host }: URL, ask: () => Promise<T>): Promise<T> {
  let last: Error | undefined;
  // A cluster reports the failures of its nodes as events of their own.
  for (const event of ["error", "node error"])
    connection.on(event, (error: Error) => {
      last = error;
    });
  try {
    return await inTime(connection.connect().then(ask), () => last);
  } catch (error) {
    connection.disconnect();
    // The error of the promise says only that the connection is closed.
    throw queueFailed(`at ${host} could not be reached`, error instanceof EngineError ? error : (last ?? error));
  }
}

const CONNECT_TIMEOUT = 10_000;

/** ioredis retries for ever; a conductor that cannot reach its queue at the start should say so. */
function inTime<T>(work: Promise<T>, why?: () => Error | undefined): Promise<T> {
  const late = (): Error => why?.() ?? new Error(`no answer within ${CONNECT_TIMEOUT / 1_000} s`);
  return withDeadline(CONNECT_TIMEOUT, work, late);
}

/** Resolves when requests to a queue can be sent. @throws Error if that takes too long */
export async function ready(queue: StageQueue): Promise<void> {
  await inTime(queue.waitUntilReady());
}

/** With another policy Redis may drop jobs when it runs out of memory. */
function checkEviction(info: string): void {
  const [, policy = "noeviction"] = /^maxmemory_policy:(\S+)/m.exec(info) ?? [];
  if (policy === "noeviction") return;
  throw new EngineError(
    "QUEUE_FAILED",
    `Redis has the eviction policy "${policy}" and may drop jobs. Set maxmemory-policy to noeviction.`,
  );
}

async function onPostgres(url: URL): Promise<QueueServer> {
  const bullmq = await load("bullmq", import("bullmq"));
  await load("pg", import("pg"));
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  const connection = { connectionString: url.href, max: 4, ...(schema !== undefined && { schema }) };
  // The types of BullMQ's classes are those of Redis.
  const backend = bullmq.createPostgresBackend as never;
  const options = { connection: connection as never };
  return {
    queue: (name) => new bullmq.Queue(name, options, backend) as unknown as StageQueue,
    worker: (name, process, more) =>
      new bullmq.Worker(name, process, { ...options, ...more }, backend) as unknown as StageWorker,
    relay: (namespace) =>
      new bullmq.Relay({ ...options, namespace, backend: bullmq.createPostgresRelayBackend as never }) as Relay<never>,
    // BullMQ connects again for each statement.
    isUp: true,
    // With a count, each job that ends would read all kept ones.
    kept: { age: 600 },
    handedBack: () => new bullmq.WaitingError(),
    async prepare(name) {
      const open = async (migrate: boolean): Promise<void> => {
        const opened = new bullmq.Queue(name, { connection: { ...connection, migrate } as never }, backend);
        opened.on("error", () => {});
        try {
          await opened.waitUntilReady();
        } finally {
          await opened.close().catch(() => {});
        }
      };
      try {
        await open(false);
        return false;
      } catch (error) {
        if (!isSchemaError(error)) throw queueFailed("could not be prepared", error);
      }
      try {
        await open(true);
      } catch (error) {
        throw queueFailed("could not be prepared", error);
      }
      return true;
    },
    close: async () => {},
  };
}

/** True if the tables are missing, or of another version. */
function isSchemaError(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith("Schema");
}

/** Wraps an error of the queue. */
export function queueFailed(what: string, cause: unknown): EngineError {
  if (cause instanceof EngineError) return cause;
  if (isSchemaError(cause))
    return new EngineError(
      "QUEUE_FAILED",
      "The tables of the queue are missing or of another version. Run: engine fleet migrate --queue URL",
      { cause },
    );
  const message = `The queue ${what}: ${messageOf(cause).replace(/\.$/, "")}. ${adviceOn(codeOf(cause))}`;
  return new EngineError("QUEUE_FAILED", message, { cause });
}

function adviceOn(code: string): string {
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return "The certificate of the server is for another host. Correct the host in the URL.";
  return isOfTls(code)
    ? "The certificate of the server is not trusted. For a CA of your own, set NODE_EXTRA_CA_CERTS to its file."
    : "Check its URL, and that its server runs.";
}
