/** Runs of the engine on PostgreSQL: their statements, indexes, and names of tables. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type PostgresClient,
  type PostgresStore,
  postgresStore,
  postgresStoreAt,
} from "../../adapters/postgres/index.js";
import { withResolvers } from "../../core/base/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";
import { runsOnServer } from "./runs-on-server.js";

describeWithPostgres("a run on PostgreSQL", (url) => {
  let table: string;

  beforeEach(() => {
    table = `engine-${randomUUID()}`;
  });
  afterEach(() => inSql(url, `DROP TABLE IF EXISTS "${table}"`));

  const { run, proxy } = runsOnServer({
    protocol: "postgres",
    target: url,
    stateStore: (connectionString, requestTimeout) => postgresStore({ connectionString, table, requestTimeout }),
  });

  it("that changes nothing sends three statements at most, on one connection", async () => {
    await run(3);
    for (const phase of ["up", "read"] as const) {
      proxy().recount();
      await run(3, phase);
      expect(proxy().counts).toMatchObject({ connections: 1 });
      expect(proxy().counts.byKind.WITH).toBeUndefined();
      expect(proxy().counts.byKind.SELECT).toBeLessThanOrEqual(3);
    }
  });

  it("appends with one statement, and needs no other between", async () => {
    const store = postgresStoreAt({ connectionString: proxy().url, table });
    await store.create("app/dev/journal/1", "a");
    proxy().recount();
    for (let count = 0; count < 20; count++) await store.append("app/dev/journal/1", "b", "app/dev/journal/2");
    expect(proxy().counts.byKind).toEqual({ WITH: 20 });
    await store.close();
  });

  it("does not take its table for dropped if another of its first statements has made it meanwhile", async () => {
    const pool = new pg.Pool({ connectionString: url });
    const [missed, made] = [withResolvers<void>(), withResolvers<void>()];
    /** The first statement gets its answer, that there is no table, after another one has made the table. */
    const held = async (client: pg.PoolClient): Promise<PostgresClient> => ({
      query: (query) =>
        client.query(query).catch(async (error) => {
          missed.resolve();
          await made.promise;
          throw error;
        }),
      on: (event, listener) => client.on(event, listener),
      off: (event, listener) => client.off(event, listener),
      release: (destroy) => client.release(destroy),
    });
    let count = 0;
    const connect = async () => (++count === 1 ? held(await pool.connect()) : pool.connect());
    const store = postgresStoreAt({ pool: { connect, end: () => pool.end() }, table });
    const first = store.get("app/dev/a");
    await missed.promise;
    expect(await store.create("app/dev/b", "1")).toBe(true);
    made.resolve();
    expect(await first).toBeUndefined();
    await pool.end();
  });

  it.each([
    ['a "quoted"; DROP TABLE x; --', "pub'lic"],
    ["ü".repeat(31), 'a"."b'],
  ])("has a table of any name: %s in %s", async (name, schema) => {
    const store = postgresStoreAt({ connectionString: url, table: name, schema });
    try {
      expect(await store.create("app/dev/a", "1")).toBe(true);
      const [row] = await inSql(
        url,
        "SELECT table_schema, table_name FROM information_schema.tables WHERE table_name = $1",
        [name],
      );
      expect(row).toEqual({ table_schema: schema, table_name: name });
    } finally {
      await store.close();
      await inSql(url, `DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
    }
  });

  it("does not fall for a table of the same name earlier in the search path, or a collation of the database", async () => {
    const store: PostgresStore = postgresStoreAt({ connectionString: url, table });
    await store.create("app/dev/B", "1");
    const database = `evil-${randomUUID()}`;
    await inSql(
      url,
      `CREATE DATABASE "${database}" TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE "de-u-ka-shifted" LOCALE "C" ENCODING 'UTF8'`,
    );
    const there = url.replace(/postgres$/, database);
    await inSql(
      there,
      `CREATE SCHEMA evil; CREATE TABLE evil.scope_engine_state (key text, part int, nonce uuid, value bytea); ALTER DATABASE "${database}" SET search_path = evil, public`,
    );
    const elsewhere = postgresStoreAt({ connectionString: there });
    for (const key of ["app/dev/a_b", "app/dev/a-b", "app/dev/aXb", "app/dev/B", "app/dev/b"])
      await elsewhere.create(key, "1");
    expect(await listed(elsewhere, "app/dev/a_")).toEqual(["app/dev/a_b"]);
    expect(await listed(elsewhere, "app/dev/a")).toEqual(["app/dev/a-b", "app/dev/aXb", "app/dev/a_b"]);
    expect(await inSql(there, "SELECT FROM evil.scope_engine_state")).toEqual([]);
    await store.close();
    await elsewhere.close();
    await inSql(url, `DROP DATABASE "${database}" WITH (FORCE)`);
  });

  it("lists 2,000 stages with one statement, and one stage among them by the index", async () => {
    const store = postgresStoreAt({ connectionString: proxy().url, table });
    await store.create("shop/0/journal/000000000001", "1");
    await inSql(
      url,
      `INSERT INTO "${table}" SELECT 'shop/' || stage || '/journal/' || lpad(entry::text, 12, '0'), 0, gen_random_uuid(), 'x'
       FROM generate_series(1, 1999) AS stage, generate_series(1, 3) AS entry`,
    );
    await inSql(url, `ANALYZE "${table}"`);
    proxy().recount();
    const keys = await listed(store, "");
    expect(new Set(keys.map((key) => key.split("/")[1])).size).toBe(2_000);
    expect(proxy().counts.byKind).toEqual({ SELECT: 1 });
    let seen = "";
    proxy().plan = ({ target }) => {
      seen = target;
      return undefined;
    };
    expect(await listed(store, "shop/77/")).toHaveLength(3);
    const plan = await inSql(url, `EXPLAIN ${seen}`, ["shop/77/"]);
    expect(JSON.stringify(plan)).toMatch(/Index (?:Only )?Scan|Bitmap Index Scan/);
    expect(JSON.stringify(plan)).toContain("key >= 'shop/77/'");
    await store.close();
  });

  it("has one winner in each of 20 rounds of 50 racers for one key", async () => {
    const racers = Array.from({ length: 10 }, () => postgresStoreAt({ connectionString: url, table }));
    for (let round = 0; round < 20; round++) {
      const tries = Array.from({ length: 50 }, (_, at) => racers[at % 10]?.create("app/dev/lock", "same"));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1);
      expect(await racers[0]?.deleteMany(["app/dev/lock"])).toBe(true);
    }
    await Promise.all(racers.map((racer) => racer.close()));
  });
});
