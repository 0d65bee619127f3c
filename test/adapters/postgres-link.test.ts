/** Statements of one store that many runs share, with a pool that answers in a given order. */
import { expect, it } from "vitest";
import type { PostgresPool } from "../../adapters/postgres/connect.js";
import { postgresStoreAt } from "../../adapters/postgres/index.js";
import { withResolvers } from "../../core/base/index.js";
import { gc, middleOfThree } from "../helpers/processes/gc.js";

/** @param answer returns the rows of a statement */
function poolOf(answer: (text: string, values: unknown[]) => Promise<readonly unknown[]>): PostgresPool {
  const client = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => ({ rows: await answer(text, values) }),
    on: () => {},
    off: () => {},
    release: () => {},
  };
  return { connect: async () => client, end: async () => {} };
}

function missingTable(): Error {
  return Object.assign(new Error("relation does not exist"), { code: "42P01" });
}

it("no write fails for the missing table that another one has created meanwhile", async () => {
  const { promise: first, resolve: firstIsDone } = withResolvers<void>();
  const refused = new Set<unknown>();
  let isCreated = false;
  const pool = poolOf(async (text, values) => {
    if (text.startsWith("CREATE")) isCreated = true;
    const [key] = values;
    if (key === undefined || (isCreated && refused.has(key))) return [{}];
    refused.add(key);
    if (key === "app/dev/2") await first;
    throw missingTable();
  });
  const store = postgresStoreAt({ pool });
  const second = store.set("app/dev/2", "b");
  await store.set("app/dev/1", "a");
  firstIsDone();
  await expect(second).resolves.toBeUndefined();
});

/** Maximum heap bytes that a store keeps of one statement: an AbortSignal that follows another one takes a thousand. */
const MOST = 100;

it("a store that stays open keeps no memory of each statement", async ({ task }) => {
  const statements = 2_000;
  const store = postgresStoreAt({ pool: poolOf(async () => []) });
  const kept = await middleOfThree(async () => {
    await collected();
    const before = process.memoryUsage().heapUsed;
    for (let times = 0; times < statements; times++) await store.get("app/dev/1");
    await collected();
    return (process.memoryUsage().heapUsed - before) / statements;
  });
  task.meta.note = `bytes of heap for a statement: ${Math.round(kept)}`;
  expect(kept).toBeLessThan(MOST);
});

/** Finalized objects go only with the next collection. */
async function collected(): Promise<void> {
  for (let times = 0; times < 4; times++) {
    await new Promise((resolve) => setImmediate(resolve));
    gc();
  }
}
