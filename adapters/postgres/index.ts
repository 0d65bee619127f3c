/** Store for state in a table of PostgreSQL. */
import {
  checkGiven,
  EngineError,
  type Environment,
  either,
  flag,
  hasFunctions,
  isText,
  type Rule,
  record,
} from "../../core/base/index.js";
import type { StoreContext, StoreFactory } from "../../core/contract/index.js";
import { DURATION, invalid, isDuration } from "../kit/options.js";
import type { PostgresSettings, PostgresStore, PostgresStoreOptions } from "./connect.js";
import { openPostgres } from "./open.js";

export type {
  PostgresClient,
  PostgresPool,
  PostgresQuery,
  PostgresStore,
  PostgresStoreOptions,
} from "./connect.js";

/**
 * Returns the `stateStore` option for state in a table of PostgreSQL, which several machines can share. It needs the
 * package `pg`, which is loaded with the first statement.
 *
 * The store creates the table if its role may. A run gets the warning `POSTGRES_NOT_DURABLE` if the server confirms
 * writes before they are on its disk.
 *
 * @param options Without them the environment names the server: `ENGINE_STATE`, else `ENGINE_POSTGRES_URL`, as
 * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
 * @throws EngineError `INVALID_OPTION`, also from `engine()` if the environment names no server
 * @example
 * ```ts
 * await engine("my-app", { stateStore: postgresStore({ connectionString: "postgres://ada@db.example.com/team" }) });
 * await engine("my-app", { stateStore: postgresStore() });
 * ```
 */
export function postgresStore(options?: PostgresStoreOptions): StoreFactory<PostgresStore> {
  if (options === undefined) {
    const factory: StoreFactory<PostgresStore> = (context) => postgresStore(optionsIn(context))(context);
    return Object.assign(factory, { schemes: ["postgres", "postgresql"] });
  }
  const settings = checkPostgresOptions(options);
  return ({ warn }) => openPostgres(settings, warn);
}

function optionsIn({ env = process.env }: { readonly env?: Environment }): PostgresStoreOptions {
  const { ENGINE_POSTGRES_URL } = env;
  if (ENGINE_POSTGRES_URL) return { connectionString: ENGINE_POSTGRES_URL };
  const where = "pass { connectionString }, or set ENGINE_POSTGRES_URL or ENGINE_STATE to postgres://HOST/DATABASE";
  throw invalid(`postgresStore() needs a server: ${where}.`);
}

/**
 * Returns the store without a run. It connects on first use.
 *
 * @param warn called for the warnings that a run would get
 * @throws EngineError `INVALID_OPTION`
 */
export function postgresStoreAt(options: PostgresStoreOptions, warn: StoreContext["warn"] = () => {}): PostgresStore {
  return openPostgres(checkPostgresOptions(options), warn);
}

const SCHEMA = "public";
const TABLE = "scope_engine_state";

/** The order of bytes is that of keys, whatever the collation of the database is. */
const COLUMNS = `(
  key text COLLATE "C" NOT NULL,
  part integer NOT NULL,
  nonce uuid,
  value bytea,
  PRIMARY KEY (key, part)
)`;

/** PostgreSQL cuts longer names, so that two of them could mean the same table. */
const identifier: Rule = {
  allowed: "a name of at most 63 bytes",
  accepts: (value) => isText(value) && Buffer.byteLength(value) <= 63 && !value.includes("\0"),
  showable: true,
};

/** @throws EngineError `INVALID_OPTION`, which never quotes the connection string */
function checkPostgresOptions(options: PostgresStoreOptions): PostgresSettings {
  checkGiven("postgresStore", options, {
    connectionString: { allowed: "a non-empty string", accepts: isText },
    pool: { allowed: "a Pool of pg", accepts: (value) => hasFunctions(value, "connect", "end") },
    password: { allowed: "a string or a function", accepts: (value) => isText(value) || typeof value === "function" },
    ssl: either(flag, record),
    listen: { allowed: "a connection string", accepts: isText },
    schema: identifier,
    table: identifier,
    requestTimeout: { allowed: DURATION, accepts: isDuration },
    retryTimeout: { allowed: DURATION, accepts: isDuration },
  });
  const { connectionString, pool, password, ssl, schema = SCHEMA, table = TABLE } = options;
  if ((connectionString === undefined) === (pool === undefined)) {
    throw invalid('postgresStore() takes exactly one of the options "connectionString" and "pool".');
  }
  if (pool && (password !== undefined || ssl !== undefined)) {
    throw invalid('postgresStore(): a "pool" has its own password and TLS. Remove "password" and "ssl".');
  }
  if (options.listen !== undefined) placeOf("listen", options.listen);
  const query = new URLSearchParams();
  if (schema !== SCHEMA) query.set("schema", schema);
  if (table !== TABLE) query.set("table", table);
  const place = connectionString === undefined ? "the given pool" : placeOf("connectionString", connectionString);
  const name = `${quoted(schema)}.${quoted(table)}`;
  return {
    ...options,
    location: query.size === 0 ? place : `${place}?${query}`,
    name,
    setup: [`CREATE SCHEMA IF NOT EXISTS ${quoted(schema)}`, `CREATE TABLE IF NOT EXISTS ${name} ${COLUMNS}`],
    requestTimeout: options.requestTimeout ?? 10_000,
    retryTimeout: options.retryTimeout ?? 30_000,
  };
}

function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Returns an address for messages, without credentials and parameters. */
function placeOf(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // An unencoded "/", "?" or "#" in a password would end the address, and the user's name would become the host.
  const isCut = url === undefined || url.hash !== "" || `${url.pathname}${url.search}`.includes("@");
  if (isCut || !/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(url)) {
    throw new EngineError(
      "INVALID_OPTION",
      `postgresStore(): option "${option}" must look like postgres://user:password@host:5432/database. Percent-encode special characters in a password.`,
    );
  }
  const host = url.hostname || url.searchParams.get("host") || process.env.PGHOST || "localhost";
  return `postgres://${host}:${url.port || process.env.PGPORT || 5432}${url.pathname === "/" ? "" : url.pathname}`;
}

function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].map(decodeURIComponent).length > 0;
  } catch {
    return false;
  }
}
