import { expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { stageAdmin } from "../../../plugins/admin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { World } from "../../helpers/apps/world.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { putting, testLedgers } from "../../helpers/stores/ledgers.js";
import { withoutAppend } from "../../helpers/stores/store-around.js";

const Thing = new World().type();
const engine = createEngine();
const ledgers = testLedgers();

async function up(stateStore: StateStore, count: number): Promise<void> {
  await engine.up("shop", { stage: "dev", stateStore, argv: [], env: {} }, () => {
    for (let index = 0; index < count; index++) Thing(`t${index}`);
  });
}

function adminOf(store: StateStore) {
  return stageAdmin(store, { app: "shop", stage: "dev", env: {} });
}

async function keysOf(store: StateStore, part: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const key of store.list("shop/dev/")) if (key.includes(part)) keys.push(key);
  return keys;
}

const numberOf = (key: string | undefined): number => Number(key?.split("/").at(-1));

test.each([true, false])(
  "a destroyed stage keeps its past for ever: a purge removes it (segments: %s)",
  async (grows) => {
    const store = grows ? memoryStore() : withoutAppend(memoryStore());
    for (const count of [1, 2, 3, 2, 1, 0]) await up(store, count);
    await store.set("shop/dev/lease/dead", "3");
    const admin = adminOf(store);
    const histories = await keysOf(store, "history/");
    const newest = (await keysOf(store, "journal/")).at(-1);

    const asked: unknown[] = [];
    const first = await admin.purge({ approve: (what) => void asked.push(what) });
    expect(asked).toEqual([{ keys: 0, history: 0 }]);
    expect(first).toMatchObject({ history: 0 });
    expect(first.keys).toBeGreaterThan(0);
    expect(await keysOf(store, "history/")).toEqual(histories);
    expect(await keysOf(store, "lease/")).toEqual([]);

    expect(await admin.purge({ history: true })).toEqual({ keys: 0, history: histories.length });
    const left = await keysOf(store, "journal/");
    expect(left.map(numberOf)[0]).toBe(1);
    expect(numberOf(left.at(-1))).toBeGreaterThan(numberOf(newest));
    expect([await keysOf(store, "history/"), (await keysOf(store, "checkpoint/")).length]).toEqual([[], 3]);
    expect(await admin.purge({ history: true })).toEqual({ keys: 0, history: 0 });
    expect(await admin.verify()).toMatchObject({ findings: [] });

    await up(store, 2);
    expect((await admin.list()).resources).toHaveLength(2);
    await admin.close();
  },
);

test("a purge refuses a stage that records a resource, and one that was not confirmed removes nothing", async () => {
  const store = memoryStore();
  await up(store, 1);
  const admin = adminOf(store);
  const [code, message] = await rejectedCode(admin.purge());
  expect([code, message]).toEqual([
    "INVALID_CALL",
    expect.stringMatching(/state of "shop\/dev" still contains 1 resource, .*engine destroy/),
  ]);
  await up(store, 0);
  const before = await keysOf(store, "");
  const no = new Error("no");
  await expect(admin.purge({ history: true, approve: () => Promise.reject(no) })).rejects.toThrow("no");
  expect(await keysOf(store, "")).toEqual(before);
  await admin.close();
});

test("a run that was paused before a purge writes nothing after it", async () => {
  const store = memoryStore();
  await up(store, 0);
  const paused = await ledgers.run(store, { app: "shop", command: "up" });
  await paused.put("early");
  await paused.ledger.commit([{ op: "drop", uid: "uid-early" }], "now");
  const admin = adminOf(store);
  await admin.purge({ history: true });
  expect((await rejectedCode(paused.ledger.commit([putting("late")], "now")))[0]).toMatch(/FENCED|STATE_MOVED/);
  expect((await admin.list()).resources).toEqual([]);
  await admin.close();
});
