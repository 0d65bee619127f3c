import pg from "pg";
import { afterAll, beforeAll, describe } from "vitest";
import { prepareQueue } from "../../../../plugins/fleet/queue/prepare.js";
import { isLong } from "../../../helpers/checks/sampling.js";
import { describeWithPostgres } from "../../../servers/given-postgres.js";
import { type PostgresServer, startPostgres } from "../../../servers/postgres.js";
import { queueSuite } from "./queue-suite.js";

describeWithPostgres("on PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
    await prepareQueue(server.url);
  });
  afterAll(() => server.stop());

  async function inPostgres<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const tables = async (client: pg.Client): Promise<readonly string[]> => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables WHERE table_schema = 'bullmq' AND table_type = 'BASE TABLE'",
    );
    return rows.map(({ name }) => name).filter((name) => !name.includes("migration"));
  };

  describe("a fleet", () => {
    queueSuite(
      () => ({
        url: server.url,
        flush: () =>
          inPostgres(async (client) => {
            const names = (await tables(client)).join(", ");
            // A worker may lock the same tables in another order. Then the server cancels one of the two.
            const isCanceled = () =>
              client.query(`TRUNCATE ${names} CASCADE`).then(
                () => false,
                (error: { code?: string }) => error.code === "40P01" || Promise.reject(error),
              );
            while (await isCanceled());
          }),
        texts: () =>
          inPostgres(async (client) => {
            const texts: string[] = [];
            for (const table of await tables(client))
              texts.push(
                ...(await client.query(`SELECT t::text AS text FROM ${table} t`)).rows.map(({ text }) => text),
              );
            return texts;
          }),
        restart: () => server.restart(),
        refuseWrites: (refuses) =>
          inPostgres(async (client) => {
            await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${refuses ? "on" : "off"}`);
            await client.query("SELECT pg_reload_conf()");
          }),
      }),
      isLong
        ? { workers: 40, conductors: 10, restarts: 10, flushes: 3 }
        : { workers: 4, conductors: 2, restarts: 2, flushes: 1 },
    );
  });
});
