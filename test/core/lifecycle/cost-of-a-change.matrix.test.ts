/** The cost of a change is the same in a stage of a hundred resources and in one of ten thousand. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isLong } from "../../helpers/checks/sampling.js";
import { type Cost, costsOf, type Operation, type Way } from "./operations.js";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
const inFiles = async () => {
  const folder = await mkdtemp(join(tmpdir(), "costs-"));
  folders.push(folder);
  return fsStoreAt(folder);
};

const stores = [
  { store: "in memory", make: async () => memoryStore() },
  { store: "in memory where no entry grows", make: async () => memoryStore({ append: false }) },
  { store: "in files", make: inFiles },
];
const ways: readonly { readonly way: Way; readonly sizes: readonly number[] }[] = [
  { way: "in sequence", sizes: isLong ? [100, 1_000, 10_000] : [100, 1_000] },
  { way: "at once", sizes: isLong ? [100, 500, 1_000, 10_000, 50_000] : [100, 1_000, 10_000] },
];
const cases = stores.flatMap((store) => ways.map((way) => ({ ...store, ...way })));

describe.each(cases)("a state $store, changed $way", ({ make, way, sizes }) => {
  const costs = new Map<number, Record<Operation, Cost>>();
  beforeAll(async () => {
    for (const n of sizes) costs.set(n, await costsOf(await make(), way, n));
  }, 600_000);
  /** Cost at each larger size, as a multiple of the cost at the smallest size. */
  const growthOf = (what: keyof Cost, operation: Operation): number[] => {
    const [first = 0, ...more] = sizes.map((n) => costs.get(n)?.[operation][what] ?? Number.NaN);
    return more.map((cost) => cost / first);
  };

  test("calls each handler once for a change, and twice for a replace", () => {
    for (const n of sizes) {
      const calls = Object.entries(costs.get(n) ?? {}).map(([operation, cost]) => [operation, cost.calls]);
      expect(Object.fromEntries(calls)).toEqual({ create: 1, unchanged: 0, update: 1, replace: 2, destroy: 1 });
    }
  });

  test("asks four times at most, and writes nothing, where nothing changes", () => {
    for (const n of sizes) {
      const { requests, writes, bytes } = costs.get(n)?.unchanged ?? {};
      expect({ writes, bytes }).toEqual({ writes: 0, bytes: 0 });
      expect(requests).toBeLessThanOrEqual(4);
    }
  });

  test.each(["create", "update", "replace", "destroy"] as const)("makes no more requests for each %s", (operation) => {
    for (const growth of growthOf("requests", operation)) expect(growth).toBeLessThanOrEqual(1.1);
    for (const growth of growthOf("writes", operation)) expect(growth).toBeLessThanOrEqual(1.1);
  });

  test.each(["create", "update", "replace", "destroy"] as const)("writes no more bytes for each %s", (operation) => {
    for (const growth of growthOf("bytes", operation)) expect(growth).toBeLessThanOrEqual(1.1);
  });
});
