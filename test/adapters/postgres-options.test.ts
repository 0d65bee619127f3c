import pg from "pg";
import { describe, expect, it } from "vitest";
import { type PostgresStoreOptions, postgresStore, postgresStoreAt } from "../../adapters/postgres/index.js";

const connectionString = "postgres://localhost/team";
const secret = "s3cr3t";

/** Options as a program without types may pass them. */
function untyped(options: Readonly<Record<string, unknown>>): PostgresStoreOptions {
  return options;
}

describe("the options of postgresStore", () => {
  it.each<[named: string, options: Readonly<Record<string, unknown>>]>([
    ["connectionString", {}],
    ["pool", { connectionString, pool: new pg.Pool() }],
    ["connectionString", { connectionString: 5432 }],
    ["connectionString", { connectionString: "" }],
    ["connectionString", { connectionString: "localhost:5432" }],
    ["connectionString", { connectionString: `http://u:${secret}@localhost` }],
    ["connectionString", { connectionString: `postgres://u:${secret}%@localhost/db` }],
    ["connectionString", { connectionString: `postgres://u:1/${secret}@localhost/db` }],
    ["connectionString", { connectionString: `postgres://u:1?${secret}@localhost/db` }],
    ["connectionString", { connectionString: `postgres://u:1#${secret}@localhost/db` }],
    ["pool", { pool: {} }],
    ["pool", { pool: null }],
    ["password", { connectionString, password: 1 }],
    ["password", { pool: new pg.Pool(), password: secret }],
    ["ssl", { connectionString, ssl: "yes" }],
    ["ssl", { pool: new pg.Pool(), ssl: true }],
    ["schema", { connectionString, schema: "" }],
    ["schema", { connectionString, schema: "x".repeat(64) }],
    ["table", { connectionString, table: `${"ü".repeat(32)}` }],
    ["table", { connectionString, table: "a\0b" }],
    ["retryTimeout", { connectionString, retryTimeout: 0 }],
    ["requestTimeout", { connectionString, requestTimeout: Number.NaN }],
    ["tabel", { connectionString, tabel: "x" }],
  ])("refuse what is no %s and name it: %j", (named, options) => {
    const refusal = expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining(`"${named}"`) });
    expect(() => postgresStore(untyped(options))).toThrow(refusal);
    expect(() => postgresStoreAt(untyped(options))).toThrow(refusal);
    expect(() => postgresStoreAt(untyped(options))).not.toThrow(secret);
  });

  it.each<[location: string, options: PostgresStoreOptions]>([
    ["postgres://localhost:5432/team", { connectionString }],
    [
      "postgres://db.example.com:6432/team",
      { connectionString: `postgresql://ada:${secret}@db.example.com:6432/team?sslmode=disable` },
    ],
    ["postgres://[::1]:5432", { connectionString: `postgres://ada:${secret}@[::1]` }],
    ["postgres:///var/run:5432/team", { connectionString: "postgres:///team?host=/var/run" }],
    ["postgres://localhost:5432/team?schema=ops&table=a+b", { connectionString, schema: "ops", table: "a b" }],
    ["postgres://localhost:5432/team", { connectionString, schema: "public", table: "scope_engine_state" }],
    ["the given pool?table=x", { pool: new pg.Pool({ password: secret }), table: "x" }],
  ])("say where the store is, without credentials: %s", (location, options) => {
    const store = postgresStoreAt(options);
    expect(store).toMatchObject({ name: "postgres", location });
    expect(JSON.stringify(store)).not.toContain(secret);
  });

  it("show a name that is too long or has a NUL", () => {
    const opening = (options: object) => () => postgresStoreAt({ connectionString, ...options });
    expect(opening({ table: "x".repeat(64) })).toThrow("at most 63 bytes, not a string of 64 characters");
    expect(opening({ schema: "a\0b" })).toThrow('at most 63 bytes, not "a\\u0000b"');
  });

  it("quote the names in the statements that create the table", () => {
    const { setup } = postgresStoreAt({ connectionString, schema: 'o"ps', table: "a;b" });
    expect(setup).toContain('CREATE SCHEMA IF NOT EXISTS "o""ps";\nCREATE TABLE IF NOT EXISTS "o""ps"."a;b" (\n');
    expect(setup).toMatch(/PRIMARY KEY \(key, part\)\n\);\n$/);
  });
});
