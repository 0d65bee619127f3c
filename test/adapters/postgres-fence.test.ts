/** An append and the `create` of its fence, in each order that the server can choose. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type PostgresStore, postgresStoreAt } from "../../adapters/postgres/index.js";
import { until } from "../helpers/time/until.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";

const KEY = "app/dev/journal/1";
const FENCE = "app/dev/journal/2";

describeWithPostgres("an append beside the create of its fence", (url) => {
  let table: string;
  let owner: PostgresStore;
  let heir: PostgresStore;
  /** A transaction that holds locks. */
  let holder: pg.Client;

  beforeEach(async () => {
    table = `fence-${randomUUID()}`;
    owner = postgresStoreAt({ connectionString: url, table });
    heir = postgresStoreAt({ connectionString: url, table });
    await owner.create(KEY, "a");
    holder = new pg.Client(url);
    await holder.connect();
    await holder.query("BEGIN");
  });
  afterEach(async () => {
    await holder.end();
    await owner.close();
    await heir.close();
    await inSql(url, `DROP TABLE "${table}"`);
  });

  /** Resolves when so many statements on the table wait for a lock. */
  const waiting = (count: number) =>
    until(async () => {
      const text = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE $1";
      const [row] = await inSql(url, text, [`%${table}%`]);
      return Number(row?.count) === count;
    });

  it("that began before the fence was made, and ends after it, is not confirmed", async () => {
    await holder.query(`SELECT FROM "${table}" WHERE key = $1 FOR UPDATE`, [KEY]);
    const appended = owner.append(KEY, "b", FENCE);
    await waiting(1);
    expect(await heir.create(FENCE, "fence")).toBe(true);
    await holder.query("COMMIT");
    expect(await appended).toBe(false);
    expect(await heir.get(KEY)).toBe("a");
  });

  it("that waits for a fence under way is not confirmed", async () => {
    await holder.query(`INSERT INTO "${table}" VALUES ($1, 0, $2, 'fence')`, [FENCE, randomUUID()]);
    const appended = owner.append(KEY, "b", FENCE);
    await waiting(1);
    await holder.query("COMMIT");
    expect(await appended).toBe(false);
    expect(await heir.get(KEY)).toBe("a");
  });

  it("that waits for a fence which is never made is confirmed", async () => {
    await holder.query(`INSERT INTO "${table}" VALUES ($1, 0, $2, 'fence')`, [FENCE, randomUUID()]);
    const appended = owner.append(KEY, "b", FENCE);
    await waiting(1);
    await holder.query("ROLLBACK");
    expect(await appended).toBe(true);
    expect(await heir.get(KEY)).toBe("ab");
  });

  it("that is under way is seen by the one who makes the fence", async () => {
    expect(await owner.append(KEY, "b", FENCE)).toBe(true);
    // An append of another client that has added its chunk, and is not committed.
    await holder.query(`UPDATE "${table}" SET part = 0 WHERE key = $1 AND value IS NULL`, [FENCE]);
    await holder.query(`INSERT INTO "${table}" VALUES ($1, 2, $2, 'c')`, [KEY, randomUUID()]);
    const made = heir.create(FENCE, "fence").then((answer) => [answer, heir.get(KEY)] as const);
    await waiting(1);
    await holder.query("COMMIT");
    const [answer, seen] = await made;
    expect(answer).toBe(true);
    expect(await seen).toBe("abc");
  });

  it("that the heir does not see is never confirmed, however close the two are", async () => {
    for (let round = 1; round <= 20; round++) {
      const [key, fence] = [`app/${round}/journal/1`, `app/${round}/journal/2`];
      await owner.create(key, "");
      const confirmed: string[] = [];
      let isFenced = false;
      const appending = (async () => {
        for (let count = 0; !isFenced; count++) {
          if (await owner.append(key, `${count},`, fence)) confirmed.push(`${count},`);
          else isFenced = true;
        }
      })();
      await until(() => confirmed.length >= round % 4);
      expect(await heir.create(fence, "")).toBe(true);
      const seen = await heir.get(key);
      await appending;
      expect(seen).toBe(confirmed.join(""));
      expect(await heir.get(key)).toBe(seen);
    }
  });

  it("leaves no key behind, and the fence can be made once", async () => {
    expect(await owner.append(KEY, "b", FENCE)).toBe(true);
    expect(await heir.get(FENCE)).toBeUndefined();
    expect(await heir.getMany([FENCE, KEY])).toEqual([undefined, "ab"]);
    expect(await heir.deleteMany([FENCE])).toBe(false);
    expect(await owner.append(KEY, "c", FENCE)).toBe(true);
    const made = await Promise.all([heir.create(FENCE, "1"), owner.create(FENCE, "2"), heir.create(FENCE, "3")]);
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await owner.append(KEY, "d", FENCE)).toBe(false);
  });
});
