import { afterAll, beforeAll } from "vitest";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { type PostgresServer, startPgbouncer, startPostgres } from "../servers/postgres.js";
import { conforms, postgresSuite } from "./postgres-suite.js";

postgresSuite({});

describeWithPostgres("postgresStoreAt through PgBouncer", () => {
  let server: PostgresServer;
  let bouncer: Awaited<ReturnType<typeof startPgbouncer>>;
  beforeAll(async () => {
    server = await startPostgres();
    bouncer = await startPgbouncer(server);
  });
  afterAll(async () => {
    await bouncer.stop();
    await server.stop();
  });
  conforms(() => bouncer.url, { many: 200 });
});
