/** A run that waits for another one, with and without a direct connection on which it is told of the end. */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type PostgresStore, postgresStoreAt } from "../../adapters/postgres/index.js";
import { elsewhere, ownerOf, testLedgers } from "../helpers/stores/ledgers.js";
import { until } from "../helpers/time/until.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { inSql } from "../servers/postgres.js";

const ledgers = testLedgers();

describeWithPostgres("a run that waits", (url) => {
  let table: string;
  const stores: PostgresStore[] = [];
  const opened = (listen?: string): PostgresStore => {
    const store = postgresStoreAt({ connectionString: url, table, ...(listen !== undefined && { listen }) });
    stores.push(store);
    return store;
  };
  beforeEach(() => {
    table = `waiting-${randomUUID()}`;
  });
  afterEach(async () => {
    for (const store of stores.splice(0)) await store.close();
    await inSql(url, `DROP TABLE IF EXISTS "${table}"`);
  });

  /** Resolves when so many connections listen. A busy one may not listen yet. */
  const listeners = (count: number) =>
    until(async () => {
      const text = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN scope_engine%' AND state = 'idle'";
      return Number((await inSql(url, text))[0]?.count) === count;
    });

  it("is told of the end of the other one, and of nothing else", async () => {
    const [waiting, other] = [opened(url), opened(url)];
    await other.set("app/dev/lease/1", "1");
    const ending = new AbortController();
    let isTold = false;
    const told = waiting.whenDeleted?.("app/dev/lease/1", ending.signal).then(() => {
      isTold = true;
    });
    await listeners(1);
    await other.set("app/dev/lease/2", "1");
    await other.deleteMany(["app/dev/lease/2"]);
    expect(isTold).toBe(false);
    await other.deleteMany(["app/dev/lease/1"]);
    await told;
    await listeners(0);
  });

  it("leaves no connection behind when it stops waiting", async () => {
    const ending = new AbortController();
    const told = opened(url).whenDeleted?.("app/dev/lease/1", ending.signal);
    await listeners(1);
    ending.abort();
    await told;
    await listeners(0);
  });

  it("looks from time to time if it has no direct connection, or cannot open it", async () => {
    expect(opened().whenDeleted).toBeUndefined();
    const ending = new AbortController();
    const told = opened("postgres://127.0.0.1:1/none").whenDeleted?.("app/dev/lease/1", ending.signal);
    setImmediate(() => ending.abort());
    expect(await told).toBeUndefined();
  });

  it("continues in the middle of a pause, also after a run that was shorter than a beat of its lease", async () => {
    const holder = await ledgers.begun(opened(url), "a", { owner: ownerOf(elsewhere()) });
    // Only a message can end the first pause.
    let pauses = 0;
    const sleep = (_: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        if (++pauses > 1) resolve();
      });
    const still = { now: () => 0, sleep };
    const next = ledgers.run(opened(url), { clock: still, lockTimeout: 60_000 });
    await until(() => pauses === 1);
    await listeners(1);
    await holder.close();
    await next;
    expect(pauses).toBe(2);
  });
});
