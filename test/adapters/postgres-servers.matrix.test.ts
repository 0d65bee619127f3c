/** Servers that crash, fail over, refuse, or lose what they hold, and what the store makes of that. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listed } from "../../plugins/testing/store/case.js";
import { startProxy } from "../faults/proxy/proxy.js";
import { until } from "../helpers/time/until.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";
import { failing, PASSWORD, serversOfEachTest } from "./postgres-servers.js";

const KEY = "app/dev/journal/1";
const FENCE = "app/dev/journal/2";
const patient = { timeout: 180_000 };
const run = (command: string, args: readonly string[]) => execFileSync(command, args);
const isRoot = process.getuid?.() === 0;

describeWithPostgres("a server of PostgreSQL", () => {
  const { ends, started, opened, moving } = serversOfEachTest();

  it("that is killed during appends has kept each confirmed one, and goes on after the last", patient, async () => {
    const server = await started({ settings: ["fsync=on"] });
    const store = opened({ connectionString: server.url, retryTimeout: 120_000 });
    await store.create(KEY, "");
    const confirmed: string[] = [];
    let isOver = false;
    const appending = (async () => {
      for (let count = 0; !isOver; count++) {
        if (await store.append(KEY, `${count};`, FENCE)) confirmed.push(`${count};`);
      }
    })();
    for (let kill = 1; kill <= 3; kill++) {
      const before = confirmed.length;
      await until(() => confirmed.length > before + 20);
      await server.kill();
      const atKill = confirmed.join("");
      await server.restart();
      expect((await opened({ connectionString: server.url }).get(KEY))?.startsWith(atKill)).toBe(true);
    }
    isOver = true;
    await appending;
    expect(await store.get(KEY)).toBe(confirmed.join(""));
  });

  it.each(["synchronous_commit", "fsync"])("with %s off is reported once as what it is", patient, async (setting) => {
    const server = await started({ settings: ["fsync=on", `${setting}=off`] });
    const warned: string[] = [];
    const store = opened({ connectionString: server.url }, (code, message) => warned.push(`${code} ${message}`));
    expect(await store.get(KEY)).toBeUndefined();
    expect(warned).toEqual([]);
    await store.create(KEY, "");
    await store.append(KEY, "b", FENCE);
    await store.set("app/dev/lease/1", "1");
    expect(warned).toEqual([expect.stringMatching(new RegExp(`^POSTGRES_NOT_DURABLE .*${setting} is off`))]);
    expect(warned.join()).not.toContain(PASSWORD);
  });

  it("whose place an older replica takes has lost confirmed changes, and that is reported", patient, async () => {
    const server = await started();
    const { pool, moveTo } = moving(server.url);
    const store = opened({ pool });
    await store.create(KEY, "a");
    await store.append(KEY, "b", FENCE);
    const older = await started({ standbyOf: server, follows: false });
    await store.append(KEY, "c", FENCE);
    await store.create("app/dev/journal/9", "new");
    await server.kill();
    moveTo(older.url);
    await expect(store.append(KEY, "d", FENCE)).rejects.toThrow(
      /has lost a part of "app\/dev\/journal\/1".*engine drift/,
    );
    expect(await store.append("app/dev/journal/9", "d", "app/dev/journal/10")).toBe(false);
    expect(await store.get(KEY)).toBe("ab");
  });

  it("that is a standby answers nothing, and the one that becomes the primary is waited for", patient, async () => {
    const server = await started();
    const store = opened({ connectionString: server.url });
    await store.create(KEY, "a");
    const standby = await started({ standbyOf: server });
    const reader = opened({ connectionString: standby.url });
    const refusal = failing("Could not .* in PostgreSQL", "only reads", "Use the primary");
    await expect(reader.get(KEY)).rejects.toEqual(refusal);
    await expect(listed(reader, "app/")).rejects.toEqual(refusal);
    await expect(reader.create(KEY, "a")).rejects.toEqual(refusal);
    await expect(reader.append(KEY, "b", FENCE)).rejects.toEqual(refusal);
    const { pool, moveTo } = moving(server.url);
    const following = opened({ pool, retryTimeout: 90_000 });
    expect(await following.get(KEY)).toBe("a");
    await server.kill();
    moveTo(standby.url);
    const answers = Promise.all([following.get(KEY), following.append(KEY, "b", FENCE)]);
    await standby.promote();
    expect(await answers).toEqual([expect.stringMatching(/^ab?$/), true]);
    expect(await following.get(KEY)).toBe("ab");
  });

  it.skipIf(!isRoot)("whose disk is full refuses a write, and has written nothing of it", patient, async () => {
    const server = await started();
    const disk = await mkdtemp(join(tmpdir(), "postgres-disk-"));
    run("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
    ends.push(async () => {
      await server.stop();
      run("umount", ["-l", disk]);
      await rm(disk, { recursive: true });
    });
    await writeFile(join(disk, "ballast"), Buffer.alloc(500_000));
    await mkdir(join(disk, "space"));
    run("chown", ["postgres", join(disk, "space")]);
    await inSql(server.url, `CREATE TABLESPACE small LOCATION '${disk}/space'`);
    await inSql(server.url, "ALTER ROLE engine SET default_tablespace = small");
    const store = opened({ connectionString: server.url });
    await store.create(KEY, "a");
    const large = Array.from({ length: 300_000 }, (_, at) => (at * 7919).toString(36)).join("");
    const full = failing("Could not append to app/dev/journal/1", "disk of the server is full. Nothing was written");
    for (let count = 0; ; count++) {
      const answer: unknown = await store.append(KEY, large, FENCE).catch((error: unknown) => error);
      if (answer === true && count < 9) continue;
      expect(answer).toEqual(full);
      break;
    }
    const kept = await store.get(KEY);
    expect(kept?.replaceAll(large, "")).toBe("a");
    await rm(join(disk, "ballast"));
    expect(await store.append(KEY, "b", FENCE)).toBe(true);
    expect(await store.get(KEY)).toBe(`${kept}b`);
  });

  it("with a role that lacks a right names what is missing, and reads as far as it may", patient, async () => {
    const server = await started();
    await inSql(server.url, "CREATE ROLE reader LOGIN PASSWORD 'reader-s3cr3t'");
    const connectionString = server.url.replace(/\/\/.*@/, "//reader:reader-s3cr3t@");
    const early = opened({ connectionString });
    await expect(early.get(KEY)).rejects.toEqual(
      failing("table of the state does not exist", "may not create it", "engine state init --sql"),
    );
    execFileSync("/usr/lib/postgresql/15/bin/psql", ["-X", "-v", "ON_ERROR_STOP=1", server.url], {
      input: early.setup,
    });
    const owner = opened({ connectionString: server.url });
    await owner.create(KEY, "a");
    await inSql(server.url, "GRANT SELECT ON scope_engine_state TO reader");
    const store = opened({ connectionString });
    expect(await store.get(KEY)).toBe("a");
    const refusal = failing(
      "Could not .* in PostgreSQL",
      "permission denied for table scope_engine_state",
      "Grant this role",
    );
    await expect(store.create(FENCE, "b")).rejects.toEqual(refusal);
    await expect(store.append(KEY, "b", FENCE)).rejects.toEqual(refusal);
    await expect(store.deleteMany([KEY])).rejects.toEqual(refusal);
    await inSql(server.url, "GRANT INSERT, UPDATE, DELETE ON scope_engine_state TO reader");
    expect(await store.append(KEY, "b", FENCE)).toBe(true);
    await inSql(server.url, "REVOKE INSERT ON scope_engine_state FROM reader");
    await expect(store.append(KEY, "c", FENCE)).rejects.toEqual(refusal);
  });

  it("whose table is dropped during a run is not taken for a new one", patient, async () => {
    const server = await started();
    const store = opened({ connectionString: server.url });
    await store.create(KEY, "a");
    await inSql(server.url, "DROP TABLE scope_engine_state");
    const refusal = failing("Could not .* in PostgreSQL", "The table was dropped or renamed", "backup");
    await expect(store.get(KEY)).rejects.toEqual(refusal);
    await expect(store.append(KEY, "b", FENCE)).rejects.toEqual(refusal);
    await expect(store.create(FENCE, "b")).rejects.toEqual(refusal);
    await inSql(server.url, "CREATE TABLE scope_engine_state (id int)");
    await expect(store.get(KEY)).rejects.toEqual(failing("belongs to another program"));
  });

  it("that stands still does once an append that arrives again and again", patient, async () => {
    const server = await started();
    const proxy = await startProxy({ target: server.openUrl, protocol: "postgres" });
    ends.push(() => proxy.close());
    const store = opened({ connectionString: proxy.url, requestTimeout: 500, retryTimeout: 120_000 });
    await store.create(KEY, "a");
    proxy.recount();
    await server.pause(true);
    const appended = store.append(KEY, "b", FENCE);
    await until(() => proxy.counts.connections >= 3);
    await server.pause(false);
    expect(await appended).toBe(true);
    expect(await store.append(KEY, "c", FENCE)).toBe(true);
    await proxy.settled();
    expect(await store.get(KEY)).toBe("abc");
  });

  it("that shuts down while a connection is unused costs a new connection, and no process", patient, async () => {
    const server = await started();
    const store = opened({ connectionString: server.url, retryTimeout: 90_000 });
    await store.create(KEY, "a");
    await inSql(
      server.url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'",
    );
    expect(await store.get(KEY)).toBe("a");
    await server.restart();
    expect(await store.append(KEY, "b", FENCE)).toBe(true);
  });
});
