/** Connections to a server of PostgreSQL: the options that name it, its pool, and one statement. */
import { ignore, isMissing, packageMissing } from "../../core/base/index.js";
import type { KeyvStorageAdapter } from "../kit/keyv-adapter.js";

export type Row = Readonly<Record<string, string | null>>;

/** A store in a table of PostgreSQL. */
export interface PostgresStore extends KeyvStorageAdapter {
  readonly location: string;
  /** The statements that create the table, for a role that may not. */
  readonly setup: string;
  append(key: string, chunk: string, fence: string): Promise<boolean>;
  /** Closes the store's own connections at once; a given pool stays open. */
  close(): Promise<void>;
}

/** A statement as `pg` takes it. */
export interface PostgresQuery {
  readonly text: string;
  readonly values: unknown[];
  readonly types: { getTypeParser(): (text: string) => unknown };
}

/** A client of a pool of `pg`. */
export interface PostgresClient {
  query(query: PostgresQuery): Promise<{ readonly rows: readonly unknown[] }>;
  on(event: "error", listener: (error: unknown) => void): unknown;
  off(event: "error", listener: (error: unknown) => void): unknown;
  /** @param destroy true: its connection must not be used again */
  release(destroy?: boolean): void;
}

/** The members used of a pool of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
}

/** Options of {@link postgresStore}: the server, the table, and timeouts. */
export interface PostgresStoreOptions {
  /**
   * `postgres://user:password@host:5432/database`, with parameters of `pg`, e.g. `?sslmode=verify-full`. One of
   * `connectionString` and `pool` is needed.
   */
  readonly connectionString?: string;
  /** Your own `Pool` of `pg`, which the store does not close. It cannot be combined with `password` and `ssl`. */
  readonly pool?: PostgresPool;
  /** The password, or a function that returns it, called for each new connection: for tokens that expire. */
  readonly password?: string | (() => string | Promise<string>);
  /** True, or options of Node's `tls.connect`: use TLS, unless the connection string has settings of its own. */
  readonly ssl?: boolean | object;
  /**
   * Connection string that leads to the server without PgBouncer. With it, a run that waits for another one continues
   * as soon as that one ends (`LISTEN`), instead of at its next look, up to 2.5 s later. Pass it to all runs.
   */
  readonly listen?: string;
  /** Schema of the table. Default: `public`. */
  readonly schema?: string;
  /** Name of the table. Default: `scope_engine_state`. */
  readonly table?: string;
  /** Milliseconds after which a single attempt closes its connection. Default: 10,000. */
  readonly requestTimeout?: number;
  /** Milliseconds for which the store retries after a temporary failure. Default: 30,000. */
  readonly retryTimeout?: number;
}

export interface PostgresSettings extends PostgresStoreOptions {
  readonly location: string;
  /** Quoted name of the table, with its schema. */
  readonly name: string;
  /** The statements that create the schema, and the table. */
  readonly setup: readonly [schema: string, table: string];
  readonly requestTimeout: number;
  readonly retryTimeout: number;
}

/** Code of a server that only reads. Reads from it are refused, too, because its state may be old. */
export const READ_ONLY = "25006";

/** A run writes one group of changes at a time, and servers have few connections. */
const POOL = { max: 4, idleTimeoutMillis: 30_000, allowExitOnIdle: true };
/** Texts as the server sends them, whatever parsers the program has set. */
const types = { getTypeParser: () => String };

/** @throws EngineError `PACKAGE_MISSING` */
export async function connect(settings: PostgresSettings): Promise<PostgresPool> {
  const { pool, connectionString, password, ssl, requestTimeout } = settings;
  if (pool) return pool;
  const { Pool, Client } = await driver(password);
  const own = new Pool({ ...POOL, Client, connectionString, ssl, connectionTimeoutMillis: requestTimeout });
  // The end of an unused connection; the next statement opens another one.
  own.on("error", ignore);
  return own;
}

async function driver(password: PostgresStoreOptions["password"]) {
  const { default: pg } = await import("pg").catch((error: unknown) => {
    throw isMissing(error, "pg") ? packageMissing("pg", error) : error;
  });
  // A password beside the connection string would be ignored.
  class Client extends pg.Client {
    constructor(config?: object) {
      super(config);
      if (password !== undefined) Object.assign(this, { password });
    }
  }
  return { Pool: pg.Pool, Client };
}

/** Resolves at a notification with this text on a channel. A connection that fails only ends the listening. */
export async function listenFor(settings: PostgresSettings, channel: string, text: string, signal: AbortSignal) {
  const { Client } = await driver(settings.password);
  const client = new Client({ connectionString: settings.listen, ssl: settings.ssl, connectionTimeoutMillis: 5_000 });
  client.on("error", ignore);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    client.on("notification", ({ payload }) => payload === text && resolve());
    client
      .connect()
      .then(() => client.query(`LISTEN ${channel}`))
      .catch(ignore);
  });
  await client.end();
}

/** Runs a statement on a connection of its own, which is closed when it fails: its statement may still run. */
export async function query(pool: PostgresPool, text: string, values: unknown[], signal: AbortSignal): Promise<Row[]> {
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  aborted.catch(ignore);
  const connecting = pool.connect();
  const client = await Promise.race([connecting, aborted]).catch((error: unknown) => {
    connecting.then((late) => late.release(true), ignore);
    throw error;
  });
  client.on("error", ignore);
  let isSound = false;
  try {
    const { rows } = await Promise.race([client.query({ text, values, types }), aborted]);
    const found = rows as Row[];
    if (found[0]?.standby === "t") throw Object.assign(new Error("the server is a standby"), { code: READ_ONLY });
    isSound = true;
    return found;
  } finally {
    client.release(!isSound);
    client.off("error", ignore);
  }
}
