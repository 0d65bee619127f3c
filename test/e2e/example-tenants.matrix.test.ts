import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Database } from "../../docs/examples/tenants/database.ts";
import { inDatabase, onServer, quoted } from "../../docs/examples/tenants/postgres.ts";
import type { Tenant } from "../../docs/examples/tenants/tenants.ts";
import { Vhost } from "../../docs/examples/tenants/vhost.ts";
import { engine } from "../../plugins/index.js";
import { Password } from "../../plugins/resources/index.js";
import { describeWithPostgres } from "../servers/given-postgres.ts";
import { describeWithRabbitmq } from "../servers/given-rabbitmq.ts";
import { api, Fleet, type Inventory, inventoryOf, tenants, useServers } from "./example-tenants.ts";

const nothing = inventoryOf([]);
const ada = tenants[0]!;
const main = quoted("tenants-main-ada");
const reader = quoted("tenants-main-ada_reader");

let fleet: Fleet;

describeWithPostgres("the tenants of the example, in PostgreSQL", (postgresUrl) => {
  describeWithRabbitmq("and RabbitMQ", (rabbitmqUrl) => {
    beforeAll(() => useServers(postgresUrl, rabbitmqUrl));

    describe("when many are deployed", () => {
      beforeEach(async () => {
        fleet = await Fleet.make();
      });
      afterEach(() => fleet.remove());

      test("are all created, then unchanged, and leave nothing when they are destroyed", async () => {
        const created = await Promise.all(tenants.map((tenant) => fleet.up(tenant)));
        expect(created.map(({ summary }) => summary.created)).toEqual(tenants.map(() => 6));
        expect(await fleet.inventory()).toEqual(inventoryOf(tenants));
        const again = await Promise.all(tenants.map((tenant) => fleet.up(tenant)));
        expect(again.map(({ summary }) => summary.unchanged)).toEqual(tenants.map(() => 6));
        await Promise.all(tenants.map((tenant) => fleet.down(tenant)));
        expect(await fleet.inventory()).toEqual(nothing);
      });

      test("show no password in the state, the output and the files of the proxy", async () => {
        const run = await fleet.inProcess("up", ada);
        expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining("6 created") });
        const passwords = await passwordsOf(ada);
        expect(passwords).toHaveLength(3);
        const destroyed = await fleet.inProcess("down", tenants[1]!);
        const texts = [run.stdout, run.stderr, destroyed.stdout, ...(await textsBelow(fleet.folder))];
        expect(texts.some((text) => text.includes("server_name ada.example.com"))).toBe(true);
        for (const password of passwords) expect(texts.filter((text) => text.includes(password))).toEqual([]);
      });

      test("give a tenant's programs an address, and the readers only the right to read", async () => {
        const [url, readerUrl] = await addressesOf(ada);
        await inSession(url, "CREATE TABLE orders (id int)", "INSERT INTO orders VALUES (7)");
        expect(await inSession(readerUrl, "SELECT id FROM orders")).toEqual([{ id: 7 }]);
        await expect(inSession(readerUrl, "DELETE FROM orders")).rejects.toMatchObject({ code: "42501" });
        await fleet.up(tenants[1]!);
        const other = url.replace(/[^/]*$/, "tenants-main-bob");
        await expect(inSession(other, "SELECT 1")).rejects.toMatchObject({ code: "42501" });
      });
    });

    describe("whose process is killed after each of its changes", () => {
      const kills = ["sql", "http"].flatMap((kind) => [1, 2, 3, 4, 5].map((count) => `${kind}:${count}`));
      const victims = kills.map((kill, index) => ({ kill, tenant: tenants[index]! }));

      beforeEach(async () => {
        fleet = await Fleet.make();
        for (const { kill, tenant } of victims) {
          expect(await fleet.inProcess("up", tenant, kill), kill).toMatchObject({ signal: "SIGKILL" });
        }
      });
      afterEach(() => fleet.remove());

      test("are completed by the next run, without a second database or virtual host", async () => {
        const before = await identities();
        expect(before.length).toBeGreaterThan(victims.length);
        await Promise.all(victims.map(({ tenant }) => fleet.up(tenant)));
        expect(await fleet.inventory()).toEqual(inventoryOf(victims.map(({ tenant }) => tenant)));
        // The parts that a killed process has made are still the same ones.
        expect(await identities()).toEqual(expect.arrayContaining(before));
        for (const { tenant } of victims) expect(await driftOf(tenant), tenant.id).toEqual([]);
        for (const { tenant } of victims) {
          for (const url of await addressesOf(tenant)) await inSession(url, "SELECT 1");
        }
      });

      test("leave nothing if they are destroyed instead", async () => {
        await Promise.all(victims.map(({ tenant }) => fleet.down(tenant)));
        expect(await fleet.inventory()).toEqual(nothing);
      });
    });

    test("whose process is killed during a destroy are destroyed by the next one", async () => {
      fleet = await Fleet.make();
      const kills = ["sql:1", "sql:2", "sql:3", "http:1", "http:2"];
      const victims = kills.map((kill, index) => ({ kill, tenant: tenants[index]! }));
      await Promise.all(victims.map(({ tenant }) => fleet.up(tenant)));
      // Five changes of each kind make a tenant: a sixth one would need a kill above.
      for (const [index, kill] of ["sql:6", "http:6"].entries()) {
        expect(await fleet.inProcess("up", tenants[index + 5]!, kill), kill).toMatchObject({ code: 0 });
        await fleet.down(tenants[index + 5]!);
      }
      for (const { kill, tenant } of victims) {
        expect(await fleet.inProcess("down", tenant, kill), kill).toMatchObject({ signal: "SIGKILL" });
      }
      await Promise.all(victims.map(({ tenant }) => fleet.down(tenant)));
      expect(await fleet.inventory()).toEqual(nothing);
      await fleet.remove();
    });

    describe("that were changed by hand", () => {
      beforeAll(async () => {
        fleet = await Fleet.make();
        await fleet.up(ada);
      });
      afterAll(() => fleet.remove());

      const permissions = ["permissions", "tenants-queue-ada", "tenants-queue-ada"];
      const changes: readonly [path: string, change: () => Promise<unknown>][] = [
        ["/found/owner/rolcanlogin", () => sql(`ALTER ROLE ${main} NOLOGIN`)],
        ["/found/owner/memberOf", () => sql(`GRANT pg_read_all_data TO ${main}`)],
        ["/found/reader/rolcreatedb", () => sql(`ALTER ROLE ${reader} CREATEDB`)],
        ["/found/reader/passwordFits", () => sql(`ALTER ROLE ${reader} PASSWORD 'guessed'`)],
        ["/found/database/grants", () => sql(`REVOKE CONNECT ON DATABASE ${main} FROM ${reader}`)],
        ["/found/database/grants/1", () => sql(`GRANT TEMPORARY ON DATABASE ${main} TO ${reader}`)],
        ["/found/database/connectionLimit", () => sql(`ALTER DATABASE ${main} CONNECTION LIMIT -1`)],
        ["/found/database/comment", () => sql(`COMMENT ON DATABASE ${main} IS NULL`)],
        ["/found/database/schemaGrants", () => inside(`REVOKE USAGE ON SCHEMA public FROM ${reader}`)],
        ["/found/database", () => sql(`DROP DATABASE ${main}`)],
        ["/found/vhost/permissions/tenants-queue-ada", () => api("DELETE", permissions)],
        [
          "/found/vhost/permissions/tenants-queue-ada/read",
          () => api("PUT", permissions, { configure: "", write: ".*", read: "^own-" }),
        ],
        [
          "/found/vhost/limits/max-connections",
          () => api("DELETE", ["vhost-limits", permissions[1]!, "max-connections"]),
        ],
        ["/found/vhost", () => api("DELETE", ["vhosts", permissions[1]!])],
        ["/found/user", () => api("DELETE", ["users", permissions[1]!])],
      ];
      test.each(changes)("differ in %s until a refresh repairs them", async (path, change) => {
        await change();
        const drift = await driftOf(ada);
        expect(drift).toContain(path);
        const { summary } = await fleet.up(ada, { refresh: true });
        expect(summary).toMatchObject({ updated: 1, unchanged: 5 });
        expect(await driftOf(ada)).toEqual([]);
      });
    });

    describe("whose names are taken or unusual", () => {
      const strange = `tenants-o'neil "& söhne" \\ $1; --`;
      const login = { password: engine.secret('owner\'s "pass"'), readerPassword: engine.secret("s3cr3t reader") };
      const database = (name: string) => Database("main", { name, connections: 5, ...login });
      const vhost = (name: string) => Vhost("queue", { name, connections: 5, password: engine.secret("s3cr3t queue") });
      const named = (declare: () => PromiseLike<unknown>) => engine.up("tenants", fleet.options(ada), () => declare());

      beforeEach(async () => {
        fleet = await Fleet.make();
      });
      afterEach(() => fleet.remove());

      test.each([
        ["database", "CREATE DATABASE", "DROP DATABASE"],
        ["role", "CREATE ROLE", "DROP ROLE"],
      ])("refuse a %s of another owner, and leave it alone", async (what, create, drop) => {
        await sql(`${create} "tenants-taken"`);
        const before = await fleet.inventory();
        await expect(named(() => database("tenants-taken"))).rejects.toThrow(
          `The ${what} "tenants-taken" exists and was made by another program. Choose another name`,
        );
        await fleet.down(ada);
        expect(await fleet.inventory()).toEqual(before);
        await sql(`${drop} "tenants-taken"`);
      });

      test.each([
        ["virtual host", "vhosts", { description: "shop" }],
        ["user", "users", { password: "x", tags: "shop" }],
      ])("refuse a %s of another owner, and leave it alone", async (what, kind, body) => {
        await api("PUT", [kind, "tenants-taken"], body);
        const before = await api("GET", [kind, "tenants-taken"]);
        await expect(named(() => vhost("tenants-taken"))).rejects.toThrow(
          `The ${what} "tenants-taken" exists and was made`,
        );
        await fleet.down(ada);
        expect(await api("GET", [kind, "tenants-taken"])).toEqual(before);
        await api("DELETE", [kind, "tenants-taken"]);
      });

      test("leave a database alone that another owner made in place of a dropped one", async () => {
        await named(() => database("tenants-taken"));
        await sql(`DROP DATABASE "tenants-taken"`, `CREATE DATABASE "tenants-taken"`);
        await fleet.down(ada);
        expect(await fleet.inventory()).toEqual({ ...nothing, databases: ["tenants-taken"] });
        await sql(`DROP DATABASE "tenants-taken"`);
      });

      test("work with quotes, spaces and the longest name", async () => {
        const longest = `tenants-${"x".repeat(48)}`;
        for (const name of [strange, longest]) {
          await named(() => Promise.all([database(name), vhost(name)]));
          const roles = [name, `${name}_reader`];
          const all: Inventory = { databases: [name], roles, vhosts: [name], users: [name], files: [] };
          expect(await fleet.inventory()).toEqual(all);
          const { result } = await engine.up("tenants", { ...fleet.options(ada), phase: "read" }, () => database(name));
          expect(await inSession(result.readerUrl.unencrypted, "SELECT current_user::text AS role")).toEqual([
            { role: `${name}_reader` },
          ]);
          await fleet.down(ada);
          expect(await fleet.inventory()).toEqual(nothing);
        }
      });

      test.each(["", "..", `tenants-${"x".repeat(49)}`, "tenants-?", "tenants-\0", "tenants-\ud800"])(
        "refuse the name %j",
        async (name) => {
          await expect(named(() => database(name))).rejects.toMatchObject({ code: "NOT_CREATED" });
          const queue = name.length > 50 ? name.repeat(5) : name.replace("?", "\0");
          await expect(named(() => vhost(queue))).rejects.toThrow(/Choose another name/);
          expect(await fleet.inventory()).toEqual(nothing);
        },
      );
    });
  });
});

/** Paths in the outputs that differ from the servers. */
async function driftOf(tenant: Tenant): Promise<string[]> {
  const { resources, errors } = await engine.drift("tenants", fleet.options(tenant));
  expect(errors).toEqual([]);
  return resources.flatMap(({ gone, fqn, changes }) => (gone ? [`${fqn} is gone`] : changes.map(({ path }) => path)));
}

async function sql(...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await onServer((run) => run(statement));
}

function inside(statement: string): Promise<unknown> {
  return inDatabase("tenants-main-ada", (run) => run(statement));
}

async function inSession(url: string, ...statements: readonly string[]): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: unknown;
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}

/** Numbers that the server gave to the databases and roles. */
async function identities(): Promise<string[]> {
  const rows = await onServer((run) =>
    run<{ id: string }>(`SELECT datname || ' ' || oid AS id FROM pg_database WHERE datname LIKE 'tenants-%'
      UNION SELECT rolname || ' ' || oid FROM pg_roles WHERE rolname LIKE 'tenants-%'`),
  );
  return rows.map(({ id }) => id);
}

/** Addresses of the owner and of the reader. */
async function addressesOf(tenant: Tenant): Promise<readonly [string, string]> {
  const { url, readerUrl } = (await fleet.up(tenant)).result;
  return [url.unencrypted, readerUrl.unencrypted];
}

async function passwordsOf(tenant: Tenant): Promise<string[]> {
  const ids = ["owner-password", "reader-password", "queue-password"];
  const options = { ...fleet.options(tenant), phase: "read" } as const;
  const { result } = await engine.up("tenants", options, () => Promise.all(ids.map((id) => Password(id))));
  return result.map(({ value }) => value.unencrypted);
}

/** Contents of all files, hidden ones included. */
async function textsBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name), "utf8")));
}
