/** What is recorded together by the thousand. */
import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { keysIn } from "../../helpers/stores/journals.js";
import { putting, testLedgers } from "../../helpers/stores/ledgers.js";
import { quiet } from "../../helpers/time/gate.js";

const ledgers = testLedgers();
const many = (count: number) => Array.from({ length: count }, (_, at) => putting(`k${at}`));

test("a close comes after all that was queued before it is written", async () => {
  const store = memoryStore();
  const run = await ledgers.run(store);
  await run.put("a");
  void run.ledger.commit([putting("b")], "now");
  const closing = run.close();
  for (const change of many(9000)) void run.ledger.commit([change], "soon");
  await closing;
  await quiet();
  expect(run.ledger.hasToClose).toBe(false);
  const next = await ledgers.run(store);
  expect(next.ledger.contents.records.size).toBe(9002);
  expect(next.ledger.hasToClose).toBe(false);
});

test("no checkpoint comes in mid-run because the first append has brought much", async () => {
  const store = memoryStore();
  const first = await ledgers.run(store);
  await first.put("a");
  await first.close();
  const before = (await keysIn(store)).filter((key) => key.includes("checkpoint"));
  const run = await ledgers.run(store);
  await run.ledger.commit(many(9000), "now");
  await run.put("x");
  await run.put("y");
  await quiet();
  expect((await keysIn(store)).filter((key) => key.includes("checkpoint"))).toEqual(before);
});
