/** The contract of stores, checked against the PostgreSQL of the tests. */
import pg from "pg";
import { describe, it } from "vitest";
import { type PostgresStoreOptions, postgresStoreAt } from "../../adapters/postgres/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";
import { freePort } from "../servers/free-port.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";

const IMPATIENT = { retryTimeout: 100, requestTimeout: 1_000 };
let stores = 0;

/** Each store has a table of its own. */
export function conforms(url: () => string, suite: StoreSuiteOptions): void {
  const open = async () => {
    const options = { connectionString: url(), table: `test ${process.pid} "${++stores}` };
    const another = () => postgresStoreAt(options);
    return { store: another(), reopen: async () => another(), close: () => dropped(url(), options.table) };
  };
  const refusing = (options: PostgresStoreOptions) => postgresStoreAt({ ...options, ...IMPATIENT });
  const broken = {
    "nobody answers": async () => refusing({ connectionString: `postgres://127.0.0.1:${await freePort()}/none` }),
    "the password is wrong": () => refusing({ connectionString: url().replace(/\/\/.*@/, "//engine:wrong@") }),
    "there is no such database": () => refusing({ connectionString: url().replace(/\w+$/, "absent") }),
  };
  testStateStore({ describe, it }, open, { grows: true, broken, ...suite });
}

async function dropped(url: string, table: string): Promise<void> {
  await inSql(url, `DROP TABLE IF EXISTS ${pg.escapeIdentifier(table)}`);
}

/** @param suite sizes */
export function postgresSuite(suite: StoreSuiteOptions): void {
  describeWithPostgres("postgresStoreAt", (url) => conforms(() => url, suite));
}
