/** Connections of the store: TLS, PgBouncer, passwords, pools, and their end. */
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, it } from "vitest";
import { freePort } from "../servers/free-port.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";
import { failing, PASSWORD, saidBy, serversOfEachTest } from "./postgres-servers.js";

const KEY = "app/dev/journal/1";
const FENCE = "app/dev/journal/2";
const patient = { timeout: 180_000 };
const impatient = { requestTimeout: 3_000, retryTimeout: 1_000 };

describeWithPostgres("a connection to PostgreSQL", () => {
  const { ends, started, pooled, opened } = serversOfEachTest();

  it("with TLS is verified as pg does it", patient, async () => {
    const server = await started({ tls: true });
    const secure = server.url.replace("127.0.0.1", "localhost");
    const certificate = execFileSync("cat", [join(server.folder, "server.crt")], { encoding: "utf8" });
    const file = join(await mkdtemp(join(tmpdir(), "postgres-ca-")), "ca.crt");
    execFileSync("cp", [join(server.folder, "server.crt"), file]);
    ends.push(() => rm(join(file, ".."), { recursive: true }));
    const isEncrypted =
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE query LIKE '%scope_engine_state%' AND pid <> pg_backend_pid()";
    for (const options of [
      { connectionString: secure, ssl: { ca: certificate } },
      { connectionString: `${secure}?sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}` },
    ]) {
      const store = opened(options);
      await store.set(KEY, "a");
      expect(await inSql(server.url, isEncrypted)).toEqual([{ ssl: true }]);
      await store.close();
    }
    await expect(opened({ connectionString: secure, ssl: true, ...impatient }).get(KEY)).rejects.toEqual(
      failing("certificate", "not trusted"),
    );
    const plain = await started();
    await expect(opened({ connectionString: plain.url, ssl: true, ...impatient }).get(KEY)).rejects.toEqual(
      failing("does not support SSL", "must both use TLS"),
    );
  });

  it("fails at once if a certificate is absent or invalid, and says what to check", patient, async () => {
    const server = await started({ tls: true });
    const absent = opened({ connectionString: `${server.url}?sslmode=verify-full&sslrootcert=/absent/ca.crt` });
    const invalid = opened({ connectionString: server.url, ssl: { cert: "x", key: "y" } });
    for (const [store, reason] of [
      [absent, "/absent/ca.crt"],
      [invalid, "PEM"],
    ] as const) {
      const error: unknown = await store.get(KEY).catch((reason: unknown) => reason);
      expect(error).toEqual(failing(reason, "Check { ssl } and the paths in the connection string"));
      expect(saidBy(error)).not.toContain("attempts");
    }
  });

  it("through PgBouncer serves many stores over few connections", patient, async () => {
    const server = await started();
    const url = await pooled(server);
    const stores = Array.from({ length: 10 }, () => opened({ connectionString: url }));
    await stores[0]?.create(KEY, "");
    const made = await Promise.all(stores.map((store) => store.create(FENCE, "")));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await stores[1]?.append(KEY, "a", "app/dev/journal/3")).toBe(true);
    const absent = opened({ connectionString: url.replace(PASSWORD, "wrong"), ...impatient });
    await expect(absent.get(KEY)).rejects.toEqual(
      failing("password authentication failed", "Check the user and the password"),
    );
  });

  it("asks a function for its password, and reports if the function fails", patient, async () => {
    const server = await started({ tls: true });
    const connectionString = server.url.replace(`:${PASSWORD}@`, "@");
    let calls = 0;
    const password = async (): Promise<string> => {
      calls++;
      return PASSWORD;
    };
    const store = opened({ connectionString, password });
    await store.create(KEY, "a");
    const before = calls;
    expect(before).toBeGreaterThan(0);
    expect(await store.get(KEY)).toBe("a");
    expect(calls).toBe(before);
    await server.restart();
    expect(await store.get(KEY)).toBe("a");
    expect(calls).toBeGreaterThan(before);
    const failed = opened({ connectionString, password: () => Promise.reject(new Error("no token")), ...impatient });
    await expect(failed.get(KEY)).rejects.toEqual(failing("no token"));
    expect(await opened({ connectionString: server.url.replace(PASSWORD, "wrong"), password }).get(KEY)).toBe("a");
  });

  it("is never shown with its password, whatever fails", patient, async () => {
    const server = await started();
    const nobody = server.url.replace(/:\d+\//, `:${await freePort()}/`);
    const stores = {
      "wrong password": opened({ connectionString: server.url.replace(PASSWORD, `${PASSWORD}x`), ...impatient }),
      "no database": opened({ connectionString: server.url.replace(/postgres$/, "absent"), ...impatient }),
      "nobody there": opened({ connectionString: nobody, ...impatient }),
      "no host": opened({ connectionString: server.url.replace("127.0.0.1", "nowhere.invalid"), ...impatient }),
      "no TLS": opened({ connectionString: server.url, ssl: true, ...impatient }),
      closed: opened({ connectionString: server.url, ...impatient }),
    };
    await stores.closed.close();
    for (const [name, store] of Object.entries(stores)) {
      expect(JSON.stringify(store), name).not.toContain(PASSWORD);
      const error: unknown = await store.set(KEY, "a").catch((reason: unknown) => reason);
      expect(error, name).toMatchObject({ code: "STORE_FAILED" });
      expect(saidBy(error), name).not.toContain(PASSWORD);
    }
  });

  it("of a pool of the program stays open", patient, async () => {
    const server = await started();
    const pool = new pg.Pool({ connectionString: server.url });
    ends.push(() => pool.end());
    const store = opened({ pool });
    expect(store.location).toBe("the given pool");
    await store.create(KEY, "a");
    await store.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await expect(store.get(KEY)).rejects.toEqual(failing("already closed"));
  });

  it("without an answer is given up when the store is closed", patient, async () => {
    const server = await started();
    const store = opened({ connectionString: server.url, requestTimeout: 600_000, retryTimeout: 600_000 });
    await store.create(KEY, "a");
    await server.pause(true);
    const asked = expect(store.get(KEY)).rejects.toEqual(failing("already closed"));
    await store.close();
    await asked;
    await server.pause(false);
  });
});
