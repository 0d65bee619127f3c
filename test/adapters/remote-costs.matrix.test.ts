/**
 * The cost of a change on the stores that machines share: the same in a small and a large stage, for every operation.
 */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StateStore } from "../../core/contract/index.js";
import { type Cost, costsOf, OPERATIONS, type Operation, type Way } from "../core/lifecycle/operations.js";
import { isLong } from "../helpers/checks/sampling.js";
import { type RemoteName, remoteStore } from "../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";

const sizes: Readonly<Record<Way, readonly number[]>> = isLong
  ? { "in sequence": [100, 1_000, 10_000], "at once": [100, 1_000, 10_000, 50_000] }
  : { "in sequence": [50, 150], "at once": [100, 300] };

function costs(name: RemoteName, way: Way): void {
  const found = new Map<number, Record<Operation, Cost>>();
  const stores: StateStore[] = [];
  beforeAll(async () => {
    if (name === "s3") await makeTestBucket();
    for (const n of sizes[way]) {
      const store = remoteStore(name, `costs/${randomUUID()}`);
      stores.push(store);
      found.set(n, await costsOf(store, way, n));
    }
  }, 3_600_000);
  afterAll(() => Promise.all(stores.map((store) => store.close?.())));

  test("no handler is called more than once for a change, a replace apart", () => {
    for (const cost of found.values()) {
      const calls = OPERATIONS.map((operation) => [operation, cost[operation].calls]);
      expect(Object.fromEntries(calls)).toEqual({ create: 1, unchanged: 0, update: 1, replace: 2, destroy: 1 });
    }
  });

  test("an unchanged run asks four times at most, and writes nothing", () => {
    for (const { unchanged } of found.values()) {
      expect(unchanged.requests).toBeLessThanOrEqual(4);
      expect(unchanged).toMatchObject({ writes: 0, bytes: 0 });
    }
  });

  test.each(OPERATIONS.filter((operation) => operation !== "unchanged"))(
    "requests, writes and bytes for each %s are those in the smallest stage",
    (operation) => {
      const [least, ...more] = [...found.values()].map((cost) => cost[operation]);
      if (!least) throw new Error("Nothing was measured.");
      for (const cost of more) {
        for (const what of ["requests", "writes", "bytes"] as const) {
          expect(cost[what] / least[what]).toBeLessThanOrEqual(1.1);
        }
      }
    },
  );

  test(way === "in sequence" ? "a change is 1.1 puts" : "a change is a tenth of a put", () => {
    const most = way === "in sequence" ? 1.1 : 0.1;
    const largest = found.get(Math.max(...found.keys()));
    expect(largest?.create.writes).toBeLessThanOrEqual(most);
    expect(largest?.update.writes).toBeLessThanOrEqual(most);
    // Replaced resources are deleted one after the other in either case.
    expect(largest?.replace.writes).toBeLessThanOrEqual(most + 1.1);
    expect(largest?.destroy.writes).toBeLessThanOrEqual(1.1);
  });
}

for (const way of ["in sequence", "at once"] as const) {
  describeWithPostgres(`on PostgreSQL, ${way}`, () => costs("postgres", way));
  describeWithRedis(`on Redis, ${way}`, () => costs("redis", way));
  describeWithS3(`on S3, ${way}`, () => costs("s3", way));
}
