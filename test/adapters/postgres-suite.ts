/** The contract of stores, checked against the PostgreSQL of the tests. */
import pg from "pg";
import { afterAll, describe, it } from "vitest";
import { type PostgresStoreOptions, postgresStoreAt } from "../../adapters/postgres/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";
import { freePort } from "../servers/free-port.js";
import { describeWithPostgres } from "../servers/given-postgres.js";

const IMPATIENT = { retryTimeout: 100, requestTimeout: 1_000 };
let stores = 0;

/** Each store has a table of its own, which ends with the server. @param pool the connections of all stores */
export function conforms(url: () => string, suite: StoreSuiteOptions, pool?: pg.Pool): void {
  const open = async () => {
    const table = `test ${process.pid} "${++stores}`;
    const another = () => postgresStoreAt({ table, ...(pool ? { pool } : { connectionString: url() }) });
    return { store: another(), reopen: async () => another() };
  };
  const refusing = (options: PostgresStoreOptions) => postgresStoreAt({ ...options, ...IMPATIENT });
  const broken = {
    "nobody answers": async () => refusing({ connectionString: `postgres://127.0.0.1:${await freePort()}/none` }),
    "the password is wrong": () => refusing({ connectionString: url().replace(/\/\/.*@/, "//engine:wrong@") }),
    "there is no such database": () => refusing({ connectionString: url().replace(/\w+$/, "absent") }),
  };
  testStateStore({ describe, it }, open, { grows: true, broken, ...suite });
}

/** @param suite sizes */
export function postgresSuite(suite: StoreSuiteOptions, { isPooled = false } = {}): void {
  describeWithPostgres("postgresStoreAt", (url) => {
    const pool = isPooled ? new pg.Pool({ connectionString: url }) : undefined;
    afterAll(() => pool?.end());
    conforms(() => url, suite, pool);
  });
}
