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
          inPostgres(
            async (client) => void (await client.query(`TRUNCATE ${(await tables(client)).join(", ")} CASCADE`)),
          ),
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
      }),
      isLong
        ? { workers: 40, conductors: 10, restarts: 10, flushes: 3 }
        : { workers: 4, conductors: 2, restarts: 2, flushes: 1 },
    );
  });
});
