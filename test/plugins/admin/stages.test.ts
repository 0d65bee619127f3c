import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { NOTHING_DONE as NOTHING } from "../../../core/base/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { ledgerKeys } from "../../../core/state/index.js";
import { stageAdmin, stagesOf } from "../../../plugins/admin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { World } from "../../helpers/apps/world.js";
import { rejectedCode } from "../../helpers/checks/codes.js";
import { MANY_CHECKPOINTS, NO_CHECKPOINTS, putting, testLedgers } from "../../helpers/stores/ledgers.js";
import { recordingStore, withoutAppend } from "../../helpers/stores/store-around.js";
import { snapshot } from "../../helpers/stores/store-contents.js";
import { administered, filled, KINDS } from "./administered.js";

const given = administered();
const ledgers = testLedgers();
const Thing = new World().type();
const engine = createEngine();

/** A run of a stage that creates this many resources. */
async function made(stateStore: StateStore, app: string, stage: string, count = 1): Promise<void> {
  await engine.up(app, { stage, stateStore, argv: [], env: {} }, () => {
    for (let index = 0; index < count; index++) Thing(`t${index}`);
  });
}

describe.each(KINDS)("the stages of a store in %s", (kind) => {
  test("are those of all apps, by name, with the last run of each", async () => {
    const all = await given(kind);
    await filled(all);
    await made(all.store, "shop", "prod", 3);
    await made(all.store, "shop", "dev", 2);
    await made(all.store, "shop", "dev", 0);
    const before = await snapshot(all.store);
    const found = await stagesOf(all.store, { env: {}, all: true });
    expect(found).toMatchObject([
      { app: "app", stage: "dev", resources: 3, isSealed: true, lastRun: { command: "up", summary: { created: 3 } } },
      { app: "shop", stage: "dev", resources: 0, isEmpty: true, isSealed: false, lastRun: { summary: { deleted: 2 } } },
      { app: "shop", stage: "prod", resources: 3, lastRun: { outcome: "done", pid: process.pid } },
    ]);
    expect(found.some(({ holder, problem, retired }) => holder ?? problem ?? retired)).toBe(false);
    expect(await snapshot(all.store)).toEqual(before);
    expect(await all.admin().stages({ all: true })).toEqual(found);
    const listed = found.filter(({ isEmpty }) => !isEmpty);
    expect(listed.map(({ stage }) => stage)).toEqual(["dev", "prod"]);
    expect(await all.admin().stages()).toEqual(listed);
    expect(await stagesOf(all.store, { env: {} })).toEqual(listed);
  });

  test("say who has one, and what the last run before that came to", async () => {
    const all = await given(kind);
    await filled(all);
    const app = await all.stage.open();
    await app.run(() => all.Thing("new"));
    const [row] = await stagesOf(all.store, { env: {} });
    expect(row).toMatchObject({
      resources: 4,
      holder: { command: "up", process: "runs", pid: process.pid },
      lastRun: { outcome: "done", summary: { created: 3 } },
    });
    await app.finalize({ noop: true });
  });

  test("have a row for each that cannot be read, with its problem", async () => {
    const all = await given(kind);
    await made(all.store, "shop", "bad");
    await made(all.store, "shop", "good");
    const keys = ledgerKeys("shop", "bad");
    for await (const key of all.store.list(keys.checkpoints)) await all.store.set(key, "{}");
    expect(await stagesOf(all.store, { env: {} })).toMatchObject([
      { app: "shop", stage: "bad", problem: { code: "STATE_CORRUPT", message: expect.stringContaining(keys.root) } },
      { app: "shop", stage: "good", resources: 1 },
    ]);
  });

  test("tell of one that was moved where it is, in both stores", async () => {
    const all = await given(kind);
    await made(all.store, "shop", "dev", 2);
    const to = memoryStore({ name: "elsewhere" });
    const admin = stageAdmin(all.store, { app: "shop", stage: "dev", env: {} });
    await admin.migrate(to);
    const [old] = await admin.stages();
    expect(old).toMatchObject({ retired: { store: "elsewhere" }, resources: 2, lastRun: { command: "up" } });
    expect(old?.holder).toBeUndefined();
    const [moved] = await stagesOf(to, { env: {} });
    expect(moved).toMatchObject({ app: "shop", stage: "dev", resources: 2 });
    expect(moved).not.toHaveProperty("retired");
    await admin.close();
  });

  test.each([true, false])("cost as many requests whatever is in them (segments: %s)", async (grows) => {
    const requests = async (fill: (store: StateStore) => Promise<void>): Promise<number> => {
      const { store: own } = await given(kind);
      const store = grows ? own : withoutAppend(own);
      await fill(store);
      const recording = recordingStore(store);
      await stagesOf(recording.store, { env: {} });
      return recording.take().length;
    };
    const small = await requests((store) => made(store, "shop", "a", 1));
    const large = await requests(async (store) => {
      await made(store, "shop", "a", 300);
      for (const count of [299, 298, 297, 296, 295, 294]) await made(store, "shop", "a", count);
    });
    const several = await requests(async (store) => {
      for (const stage of ["a", "b", "c", "d", "e"]) await made(store, "shop", stage, 20);
    });
    // The listing of the store, and the reads of an unchanged run for each stage.
    const each = grows ? 3 : 4;
    expect([small, large, several]).toEqual([1 + each, 1 + each, 1 + 5 * each]);
  });
});

describe("of the stages of a store", () => {
  test("none is where nothing was ever written, and what is not the engine's is none", async () => {
    const store = memoryStore();
    expect(await stagesOf(store, { env: {} })).toEqual([]);
    await store.set("notes", "mine");
    await store.set("shop/dev/lease/5e55", "1");
    await store.set("shop/dev/history/000000000001", "{}");
    expect(await stagesOf(store, { env: {} })).toEqual([]);
  });

  test("each has its whole name, however long it is and whatever is in it", async () => {
    const store = memoryStore();
    const names = ["état 100 %", "x".repeat(200), "😀", "A.b_c-d"];
    for (const name of names) await made(store, "größe", name);
    const found = await stagesOf(store, { env: {} });
    expect(found.map(({ app }) => app)).toEqual(names.map(() => "größe"));
    expect(found.map(({ stage }) => stage).sort()).toEqual(names.toSorted());
  });

  test("one with a long name that is damaged is there under what is known of the name", async () => {
    const store = memoryStore();
    const name = "y".repeat(200);
    await made(store, "shop", name);
    await store.set(ledgerKeys("shop", name).entry(1), "damaged\n");
    for await (const key of store.list(ledgerKeys("shop", name).checkpoints)) await store.set(key, "{}");
    const [row] = await stagesOf(store, { env: {} });
    expect(row).toMatchObject({ app: "shop", stage: expect.stringMatching(/^y+%_/) });
    expect(row?.problem).toBeDefined();
  });

  test("the last run comes from the journal if it made no checkpoint, and from a copy during a run", async () => {
    const store = memoryStore();
    const first = await ledgers.run(store, { command: "first", limits: NO_CHECKPOINTS });
    await first.put("a");
    await first.ledger.close("failed", { ...NOTHING, failed: 1 });
    expect(await stagesOf(store, { env: {} })).toMatchObject([
      { lastRun: { command: "first", outcome: "failed", summary: { failed: 1 } } },
    ]);
    const second = await ledgers.run(store, { command: "second", limits: MANY_CHECKPOINTS });
    await second.put("b");
    await second.close();
    const third = await ledgers.run(store, { command: "third", limits: MANY_CHECKPOINTS });
    for (const name of ["c", "d", "e"]) await third.ledger.commit([putting(name)], "now");
    expect(await stagesOf(store, { env: {} })).toMatchObject([
      { resources: 5, lastRun: { command: "second" }, holder: { command: "third" } },
    ]);
    await third.close();
  });

  test("none are listed if the store cannot be listed, and one that cannot be read is a row", async () => {
    const store = memoryStore();
    for (const stage of ["a", "b"]) await made(store, "shop", stage);
    const failing = (prefix: string): StateStore => ({
      ...store,
      get: async (key) => {
        if (key.startsWith(prefix)) throw new Error("denied");
        return store.get(key);
      },
      list(wanted) {
        if (prefix === "") throw new Error("denied");
        return store.list(wanted);
      },
    });
    expect(await stagesOf(failing("shop/b/"), { env: {} })).toMatchObject([
      { stage: "a", resources: 1 },
      { stage: "b", problem: { code: "STORE_FAILED", message: expect.stringContaining("denied") } },
    ]);
    expect((await rejectedCode(stagesOf(failing(""), { env: {} })))[0]).toBe("STORE_FAILED");
  });
});
