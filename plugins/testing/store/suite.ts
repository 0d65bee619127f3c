import type { StateStore } from "../../../core/contract/index.js";
import { appendCases, withoutAppendCases } from "./append-cases.js";
import type { OpenedStore, StoreCase, StoreTest } from "./case.js";
import { createCases } from "./create-cases.js";
import { everyKeyCases, keyCases, manyCases } from "./key-cases.js";
import { listCases } from "./list-cases.js";
import { type BrokenCase, brokenCases, closeCases, notTried, reopenCases } from "./reopen-cases.js";
import { oneValueCases, valueCases } from "./value-cases.js";

export type { OpenedStore } from "./case.js";

/** The members of a test runner that the suite uses: vitest and node:test have them. */
export interface TestRunner {
  describe(title: string, body: () => void): unknown;
  it(title: string, body: () => Promise<void>): unknown;
}

/** Options of the store suite. */
export interface StoreSuiteOptions {
  /** True: the store has `append`. False: it must not have it. Default: false. */
  readonly grows?: boolean;
  /** False: the store accepts only keys such as the engine makes. Default: true. */
  readonly everyKey?: boolean;
  /** Length of the largest value to try, in characters. Default: 5,000,000. */
  readonly largest?: number;
  /**
   * Open clients whose calls must fail, by the cause of the failure, such as `"no server"`, `"wrong password"`,
   * `"its folder is a file"`; with short retries. Each method of each client must reject. False: the store cannot fail,
   * such as one in memory. If absent, a test fails.
   */
  readonly broken?: Readonly<Record<string, () => Promise<StateStore> | StateStore>> | false;
  /** Number of keys to list, and to delete at once; the default, 1,500, is more than a page of any known store. */
  readonly many?: number;
}

/**
 * Tests that a store keeps the contract of `StateStore`, and of `Growing` if it grows.
 *
 * @param open called once for each test
 * @example
 * ```ts
 * import { describe, it } from "node:test";
 * import { testStateStore } from "scope-engine/testing";
 *
 * testStateStore({ describe, it }, async () => ({ store: await emptyTable() }));
 * ```
 */
export function testStateStore(
  { describe, it }: TestRunner,
  open: () => Promise<OpenedStore>,
  { grows = false, everyKey = true, largest = 5_000_000, many = 1_500, broken }: StoreSuiteOptions = {},
): void {
  const topics: Readonly<Record<string, readonly StoreCase[]>> = {
    "one value": oneValueCases,
    "any text": valueCases,
    "keys of the engine": keyCases,
    ...(everyKey ? { "every other key": everyKeyCases } : {}),
    "many at once": manyCases,
    list: listCases,
    create: createCases,
    append: grows ? appendCases : withoutAppendCases,
    "another client": reopenCases,
    close: closeCases,
  };
  for (const [topic, cases] of Object.entries(topics)) {
    describe(topic, () => {
      for (const { title, run } of cases) it(title, () => withStore(open, { largest, many }, run));
    });
  }
  if (broken === false) return;
  if (!broken) return void describe("broken", () => void it("is tried", notTried));
  for (const [reason, openBroken] of Object.entries(broken)) {
    describe(`broken: ${reason}`, () => {
      for (const { title, run } of brokenCases) it(title, () => withBroken(openBroken, run));
    });
  }
}

async function withBroken(open: () => Promise<StateStore> | StateStore, run: BrokenCase["run"]): Promise<void> {
  const store = await open();
  try {
    await run(store);
  } finally {
    await store.close?.();
  }
}

async function withStore(
  open: () => Promise<OpenedStore>,
  sizes: Pick<StoreTest, "largest" | "many">,
  run: StoreCase["run"],
): Promise<void> {
  const opened = await open();
  const clients = new Set([opened.store]);
  const another = async () => {
    const client = (await opened.reopen?.()) ?? opened.store;
    clients.add(client);
    return client;
  };
  try {
    await run({ ...sizes, store: opened.store, another });
  } finally {
    for (const client of clients) await client.close?.();
    await opened.close?.();
  }
}
