/** Implements the store with a table: the first part of a value is a row, and each chunk appended to it is another. */
import { createHash, randomUUID } from "node:crypto";
import { EngineError } from "../../core/base/index.js";
import type { StoreContext } from "../../core/contract/index.js";
import { KeyedMutex, namedKeys, RecentMap } from "../kit/bounded.js";
import { escapeUnit, unescaped } from "../kit/escape.js";
import { type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { listenFor, type PostgresSettings, type PostgresStore, type Row } from "./connect.js";
import { Link } from "./link.js";

/** End of a value: the nonce of its first part, and the number of its next part. */
type End = readonly [nonce: string | null, next: number];

export function openPostgres(settings: PostgresSettings, warn: StoreContext["warn"]): PostgresStore {
  const { location, setup, listen } = settings;
  const link = new Link(settings);
  const channel = `scope_engine_${createHash("sha256").update(settings.name).digest("hex").slice(0, 32)}`;
  const sql = statements(settings.name, listen === undefined ? "" : `, pg_notify('${channel}', ($1::text[])[1])`);
  const mutex = new KeyedMutex();
  const ends = new RecentMap<string, End>(1_000);
  let hasWarned = false;

  /** Writes, and warns once if the server confirms writes too early. */
  async function write(act: string, text: string, ...values: unknown[]): Promise<Row | undefined> {
    const [row] = (await link.run(act, text, values)).rows;
    const off = ["synchronous_commit", "fsync"].find((name) => row?.[name] === "off");
    if (off !== undefined && !hasWarned) warn("POSTGRES_NOT_DURABLE", notDurable(location, off));
    hasWarned ||= off !== undefined;
    return row;
  }

  async function getMany(keys: readonly string[]): Promise<(string | undefined)[]> {
    const { rows } = await link.run(`read ${namedKeys(keys)}`, sql.read, [keys.map(escaped)]);
    const found = new Map<string, string>();
    for (const { key, part, value } of rows) {
      if (typeof key !== "string" || typeof value !== "string") continue;
      const text = Buffer.from(value, "base64").toString();
      const before = part === "0" ? "" : found.get(key);
      // A part without a first one was appended while its value was deleted.
      if (before !== undefined) found.set(key, before + text);
    }
    return keys.map((key) => found.get(escaped(key)));
  }

  async function append(key: string, chunk: string, fence: string): Promise<boolean> {
    const bytes = chunk === "" ? null : Buffer.from(chunk);
    const values = [escaped(key), escaped(fence), randomUUID(), bytes];
    for (;;) {
      const end = ends.get(key) ?? (bytes ? await findEnd(key) : [null, 0]);
      const row = end && (await write(`append to ${key}`, sql.append, ...values, ...end));
      if (!end || row?.head !== "1" || row.guard !== "1") return false;
      if (row.chunk === "1") ends.set(key, [end[0], end[1] + 1]);
      if (row.chunk === "1" || bytes === null) return true;
      // The value was replaced, or another client has appended to it.
      const present = await findEnd(key);
      if (present && present[0] === end[0] && present[1] < end[1]) throw lost(key, location);
    }
  }

  async function findEnd(key: string): Promise<End | undefined> {
    const [row] = (await link.run(`append to ${key}`, sql.end, [escaped(key)])).rows;
    ends.delete(key);
    if (row?.nonce) ends.set(key, [row.nonce, Number(row.next)]);
    return ends.get(key);
  }

  const store: PlainStore<PostgresStore> = {
    name: "postgres",
    location,
    setup: setup.map((statement) => `${statement};\n`).join(""),
    get: async (key) => (await getMany([key]))[0],
    getMany,
    async set(key, value) {
      ends.delete(key);
      await write(`write ${key}`, sql.set, escaped(key), randomUUID(), Buffer.from(value));
    },
    async deleteMany(keys) {
      if (keys.length === 0) return false;
      for (const key of keys) ends.delete(key);
      const { rows, isRepeated } = await link.run(`delete ${namedKeys(keys)}`, sql.delete, [keys.map(escaped)]);
      // An attempt without an answer may have deleted them.
      return isRepeated || rows[0]?.count !== "0";
    },
    async create(key, value) {
      const nonce = randomUUID();
      const row = await write(`create ${key}`, sql.create, escaped(key), nonce, Buffer.from(value));
      if (row) ends.set(key, [nonce, 1]);
      return row !== undefined;
    },
    append: (key, chunk, fence) => mutex.take(key, () => append(key, chunk, fence)),
    async *list(prefix) {
      const { rows } = await link.run(`list ${prefix || "all keys"}`, sql.list, [escaped(prefix)]);
      for (const { key } of rows) if (typeof key === "string") yield unescaped(key);
    },
    ...(listen && { whenDeleted: (key, signal) => listenFor(settings, channel, escaped(key), signal) }),
    close: () => link.close(),
  };
  return withKeyvMethods(store);
}

/**
 * A row without a value guards an absent key: an append locks the row of its fence, and so does the `create` of the
 * fence. So one of the two comes first, and sees, or is seen by, the other. "~" sorts after all characters of keys.
 */
function statements(table: string, notify: string) {
  const settings = "current_setting('synchronous_commit') AS synchronous_commit, current_setting('fsync') AS fsync";
  const server = `SELECT standby, state.* FROM (SELECT pg_is_in_recovery() AS standby) AS server LEFT JOIN`;
  const first = "part = 0 AND value IS NOT NULL";
  return {
    read: `${server} (SELECT key, part, encode(value, 'base64') AS value FROM ${table}
      WHERE key = ANY ($1::text[]) AND value IS NOT NULL) AS state ON true ORDER BY key, part`,
    list: `${server} (SELECT key FROM ${table} WHERE key >= $1 AND key < $1 || '~' AND ${first}) AS state ON true ORDER BY key`,
    end: `SELECT nonce, (SELECT max(part) + 1 FROM ${table} WHERE key = $1) AS next FROM ${table} WHERE key = $1 AND ${first}`,
    set: `WITH chunks AS (DELETE FROM ${table} WHERE key = $1 AND part > 0)
      INSERT INTO ${table} (key, part, nonce, value) VALUES ($1, 0, $2, $3)
      ON CONFLICT (key, part) DO UPDATE SET nonce = excluded.nonce, value = excluded.value RETURNING ${settings}`,
    create: `WITH chunks AS (DELETE FROM ${table} WHERE key = $1 AND part > 0
        AND NOT EXISTS (SELECT FROM ${table} WHERE key = $1 AND ${first}))
      INSERT INTO ${table} AS state (key, part, nonce, value) VALUES ($1, 0, $2, $3)
      ON CONFLICT (key, part) DO UPDATE SET nonce = excluded.nonce, value = excluded.value
      WHERE state.value IS NULL OR state.nonce = excluded.nonce RETURNING ${settings}`,
    delete: `WITH gone AS (DELETE FROM ${table} WHERE key = ANY ($1::text[]) RETURNING ${first} AS was)
      SELECT count(*) FILTER (WHERE was)${notify} FROM gone`,
    append: `WITH head AS (SELECT nonce FROM ${table} WHERE key = $1 AND ${first} FOR SHARE),
      guard AS (INSERT INTO ${table} AS state (key, part) SELECT $2, 0 FROM head
        ON CONFLICT (key, part) DO UPDATE SET part = 0 WHERE state.value IS NULL RETURNING 1),
      chunk AS (INSERT INTO ${table} AS state (key, part, nonce, value)
        SELECT $1, $6::integer, $3::uuid, $4::bytea FROM head, guard WHERE $4::bytea IS NOT NULL
        AND head.nonce = $5::uuid AND EXISTS (SELECT FROM ${table} WHERE key = $1 AND part = $6 - 1)
        ON CONFLICT (key, part) DO UPDATE SET part = state.part WHERE state.nonce = excluded.nonce RETURNING 1)
      SELECT (SELECT count(*) FROM head) AS head, (SELECT count(*) FROM guard) AS guard,
        (SELECT count(*) FROM chunk) AS chunk, ${settings}`,
  };
}

function notDurable(location: string, off: string): string {
  return `PostgreSQL at ${location} confirms writes before they are on its disk (${off} is off). A crash of the server may lose the newest changes of the state. Set ${off} to on.`;
}

function lost(key: string, location: string): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `PostgreSQL at ${location} has lost a part of "${key}" that it had confirmed. Perhaps an older replica took over, or an older backup was restored. Compare the state with the real resources: engine drift.`,
  );
}

/** Keys of the engine stay as they are. Any other character is escaped, so that every encoding of a database has it. */
function escaped(key: string): string {
  return key.replace(/[^A-Za-z0-9._%/-]/g, escapeUnit);
}
